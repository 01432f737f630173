// SPDX-License-Identifier: MIT
// Definitions of status.hpp.
#include <koila/device/status.hpp>
#include <koila/ops/common/definitions.hpp>

#include <c10/util/Exception.h>

namespace koila::inline v0::device {

auto outcome_of(const std::exception& e) -> outcome {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&e) != nullptr) return outcome::out_of_memory;
  if (const auto* const error = dynamic_cast<const c10::AcceleratorError*>(&e))
    return outcome_of(error->get_error_code());
  return outcome::failed;
}

}  // namespace koila::inline v0::device
