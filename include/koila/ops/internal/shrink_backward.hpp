// SPDX-License-Identifier: MIT
#pragma once
// shrink_backward: dy, or 0 where x was shrunk to 0.
#include <koila/ops/activation/activation.hpp>

namespace koila::inline v0 {

namespace internal {

/// The attributes of hardshrink(x, 0.3) and softshrink(x, lambd = 0.3).
struct shrink_attributes {
  static constexpr std::size_t positional = 1;
  attr<double> lambd = 0.5;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, lambd); }
  friend constexpr auto operator==(const shrink_attributes&, const shrink_attributes&) -> bool = default;
};

/// (...) x (...) -> (...): 0 where |x| <= lambd, else dy. The result is dy where x is NaN. This is
/// the backward pass of hardshrink and softshrink.
inline constexpr struct shrink_backward : detail::straight_backward<shrink_backward> {
  static constexpr std::string_view name = "shrink_backward";
  using attributes = shrink_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::slopes(dy, x);
    return rules::holds_bound(v.out.type, a.lambd) ? v : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::all_elements;
} shrink_backward;

}  // namespace internal

}  // namespace koila::inline v0
