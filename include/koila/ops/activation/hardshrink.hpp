// SPDX-License-Identifier: MIT
#pragma once
// hardshrink: x where |x| > lambd, else 0.
#include <koila/ops/internal/shrink_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): x where |x| > lambd, else 0. lambd is 0.5 by default. Floating-point only.
inline constexpr struct hardshrink : detail::activation<hardshrink> {
  static constexpr std::string_view name = "hardshrink";
  using attributes = internal::shrink_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::holds_bound(x.type, a.lambd) ? rules::of_floats(x) : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call_with<struct internal::shrink_backward>(a, dy, x));
  }
} hardshrink;

}  // namespace koila::inline v0
