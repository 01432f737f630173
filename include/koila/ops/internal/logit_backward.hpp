// SPDX-License-Identifier: MIT
#pragma once
// logit_backward: the gradient of logit.
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/sub.hpp>

#include <optional>

namespace koila::inline v0::internal {

struct logit_attributes {
  static constexpr std::size_t positional = 1;
  attr<double> eps = -1.0;  // negative if eps is not given
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, eps); }
  constexpr auto given() const -> std::optional<double> {
    return eps.value < 0 ? std::nullopt : std::optional(eps.value);
  }
  friend constexpr auto operator==(const logit_attributes&, const logit_attributes&) -> bool = default;
};

/// (...) x (...) -> (...): dy / (x * (1 - x)). The result is 0 where x is outside [eps, 1 - eps].
/// If eps is not given, the result is NaN where x is outside [0, 1].
inline constexpr struct logit_backward : binary<logit_backward> {
  static constexpr std::string_view name = "logit_backward";
  static constexpr bool takes_numbers = false;
  using attributes = logit_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::slopes(dy, x);
    return rules::holds(v.out.type, a.eps) ? v : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const attributes& a) {
    const auto slope = [&](const auto& v) { return logit_backward{}(v, x, koila::eps = a.eps); };
    return gradients(sum_to(slope(d), dy), sum_to(slope(slope(d * dy)) * (x * 2 - 1), x));
  }
} logit_backward;

}  // namespace koila::inline v0::internal
