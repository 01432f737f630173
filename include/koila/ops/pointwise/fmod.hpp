// SPDX-License-Identifier: MIT
#pragma once
// fmod: the remainder of a / b with the sign of a.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: a - b * trunc(a / b). Booleans are not accepted.
inline constexpr struct fmod : detail::binary_by_libm<fmod> {
  static constexpr std::string_view name = "fmod";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (result_type(a, b) == dtype::boolean) return reason::no_rule_for_booleans;
    return rules::broadcast(a, b);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& a, const auto& b) {
    return gradients(internal::sum_to(dy, a), internal::sum_to(neg(mul(dy, div(a, b, rounding_mode = kTrunc))), b));
  }
} fmod;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's fmod"
KOILA_BINARY_FUNCTION(fmod)
