// SPDX-License-Identifier: MIT
#pragma once
// bernoulli: random ones and zeros with given probabilities.
#include <koila/ops/random/random_base.hpp>

namespace koila::inline v0 {

/// (...) -> (...): each element is 1 with probability x, else 0. The op has no gradient. Throws
/// c10::Error if an element of x is not in [0, 1].
inline constexpr struct bernoulli : author::op<bernoulli, 1> {
  static constexpr std::string_view name = "bernoulli";
  struct attributes {
    detail::random_identity call;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes&) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    return x.with(x.type);
  }
  static constexpr auto flow(const value& x, const dims&, const attributes&) -> relations { return flows::drawn(x); }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return {20.0 * static_cast<double>(out.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void draw(at::Tensor& y, const at::Tensor& x, const attributes& a, const detail::portion& where);
  static constexpr auto gradient(const auto&, const auto&, const auto&, const attributes&) {
    return gradients(no_gradient);
  }
} bernoulli;

}  // namespace koila::inline v0
