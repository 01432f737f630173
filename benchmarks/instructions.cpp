// Before anything is measured.
#include "instructions.hpp"

namespace {

const bool left_out = (bench::leave_out_instructions(), true);

}  // namespace
