// SPDX-License-Identifier: MIT
#pragma once
// threshold: x where x exceeds a threshold, else a fixed value.
#include <koila/ops/internal/threshold_backward.hpp>

namespace koila::inline v0 {

/// (...) -> (...): threshold(x, threshold, value) is x where x > threshold, else `value`. Both
/// attributes are 0 by default. Booleans are not allowed. `threshold` is also the name of an
/// attribute of other ops: softplus(x, threshold = 30).
inline constexpr struct threshold : detail::activation<threshold>, detail::attribute_name<threshold> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.threshold)) { return a.threshold; }

  static constexpr std::string_view name = "threshold";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr<double> threshold = 0.0, value = 0.0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, threshold, value); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (x.type == dtype::boolean) return reason::no_rule_for_booleans;
    if (!rules::holds(x.type, a.threshold) || !rules::holds(x.type, a.value)) return reason::number_out_of_range;
    return x;
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(internal::threshold_backward(dy, x, a.threshold));
  }
} threshold;

}  // namespace koila::inline v0
