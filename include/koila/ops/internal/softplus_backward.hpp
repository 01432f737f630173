// SPDX-License-Identifier: MIT
#pragma once
// softplus_backward: the backward pass of softplus.
#include <koila/ops/activation/threshold.hpp>
#include <koila/ops/internal/relu_backward.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/sigmoid.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0::internal {

/// The attributes of softplus(x, 2) and softplus(x, beta = 2, threshold = 30).
struct softplus_attributes {
  static constexpr std::size_t positional = 2;
  attr<double> beta = 1.0, threshold = 20.0;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, beta, threshold); }
  friend constexpr auto operator==(const softplus_attributes&, const softplus_attributes&) -> bool = default;
};

/// (...) x (...) -> (...): dy where beta * x > threshold, else dy * sigmoid(beta * x).
inline constexpr struct softplus_backward : detail::activation_backward<softplus_backward> {
  static constexpr std::string_view name = "softplus_backward";
  using attributes = softplus_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::slopes(dy, x);
    return rules::holds(v.out.type, a.beta) && rules::holds(v.out.type, a.threshold)
               ? v
               : verdict(reason::number_out_of_range);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const attributes& a) {
    const auto scaled = x * a.beta.value, s = sigmoid(scaled);
    const auto curved = d * dy * (s * (1 - s)) * a.beta.value;
    return gradients(sum_to(detail::call_with<struct softplus_backward>(a, d, x), dy),
                     sum_to(relu_backward(curved, a.threshold.value - scaled), x));
  }
} softplus_backward;

}  // namespace koila::inline v0::internal
