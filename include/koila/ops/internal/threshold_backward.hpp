// SPDX-License-Identifier: MIT
#pragma once
// threshold_backward: dy where x exceeds a threshold, else 0.
#include <koila/ops/activation/activation.hpp>

namespace koila::inline v0::internal {

/// (...) x (...) -> (...): dy where x > threshold, else 0.
inline constexpr struct threshold_backward : detail::straight_backward<threshold_backward> {
  static constexpr std::string_view name = "threshold_backward";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<double> threshold = 0.0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, threshold); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::slopes(dy, x);
    return rules::holds(v.out.type, a.threshold) ? v : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::all_elements;
} threshold_backward;

}  // namespace koila::inline v0::internal
