#include <koila/ops/family/moves.hpp>

namespace koila::test::moves_family {

constexpr value samples{dims({extent{2}, extent{5}}), rows(1)};
static_assert(flows::moved(samples, false, samples.d).out == rows(1));
static_assert(flows::moved(samples, true, samples.d).operand[0].is == need::whole);

}  // namespace koila::test::moves_family
