// SPDX-License-Identifier: MIT
#pragma once
// hypot: the length of the vector (a, b).
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/div.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) x (...) -> (...), broadcast: the square root of a^2 + b^2.
inline constexpr struct hypot : detail::binary_by_libm<hypot> {
  static constexpr std::string_view name = "hypot";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    const dtype type = result_type(a, b);
    if (type != dtype::unknown && !is_floating(type)) return reason::not_a_floating_type;
    return rules::broadcast(a, b);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& a, const auto& b) {
    return gradients(internal::sum_to(mul(dy, div(a, y)), a), internal::sum_to(mul(dy, div(b, y)), b));
  }
} hypot;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's hypot"
KOILA_BINARY_FUNCTION(hypot)
