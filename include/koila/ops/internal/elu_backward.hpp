// SPDX-License-Identifier: MIT
#pragma once
// elu_backward: the gradient of elu, selu and celu.
#include <koila/ops/activation/activation.hpp>
#include <koila/ops/internal/relu_backward.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>

namespace koila::inline v0::internal {

/// The factors of elu, selu and celu: scale * (x > 0 ? x : alpha * (exp(x * input_scale) - 1)).
struct elu_attributes {
  static constexpr std::size_t positional = 3;
  attr<double> alpha = 1.0, scale = 1.0, input_scale = 1.0;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, alpha, scale, input_scale); }
  friend constexpr auto operator==(const elu_attributes&, const elu_attributes&) -> bool = default;
};

/// (...) x (...) -> (...): dy * scale * (x <= 0 ? alpha * input_scale * exp(x * input_scale) : 1).
/// The result is dy * scale where x is NaN.
inline constexpr struct elu_backward : detail::activation_backward<elu_backward> {
  static constexpr std::string_view name = "elu_backward";
  using attributes = elu_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    const verdict v = rules::slopes(dy, x);
    for (const attr<double>& number : {a.alpha, a.scale, a.input_scale})
      if (!rules::holds(v.out.type, number)) return reason::number_out_of_range;
    return v;
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const attributes& a) {
    const auto bent = relu_backward(mul(mul(d, dy), a.input_scale.value), neg(x));  // 0 at x = 0, as in LibTorch
    return gradients(sum_to(detail::call_with<struct elu_backward>(a, d, x), dy),
                     sum_to(detail::call_with<struct elu_backward>(a, bent, x), x));
  }
} elu_backward;

}  // namespace koila::inline v0::internal
