// SPDX-License-Identifier: MIT
#pragma once
// gelu_backward: the gradient of gelu.
#include <koila/ops/activation/activation.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/exp.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/pointwise/tanh.hpp>

namespace koila::inline v0 {

namespace internal {

/// The attribute of gelu.
struct gelu_attributes {
  attr<choice> approximate = choice::none;
  constexpr auto by_tanh() const -> bool { return approximate.value == choice::tanh; }
  constexpr auto expected() const -> bool {
    return !approximate.known || approximate.value == choice::none || by_tanh();
  }
  friend constexpr auto operator==(const gelu_attributes&, const gelu_attributes&) -> bool = default;
};

/// (...) x (...) -> (...): dy times the derivative of gelu at x. For kNone, the derivative is
/// cdf(x) + x * pdf(x) of the standard normal distribution. For kTanh, it is the derivative of the
/// approximation. One op replaces eleven element-wise ops.
inline constexpr struct gelu_backward : detail::activation_backward<gelu_backward> {
  static constexpr std::string_view name = "gelu_backward";
  using attributes = gelu_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const attributes& a) -> verdict {
    if (!a.expected()) return reason::not_an_expected_choice;
    return rules::slopes(dy, x);
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const attributes& a) {
    return gradients(sum_to(detail::call_with<struct gelu_backward>(a, d, x), dy), sum_to(d * dy * bend(x, a), x));
  }

 private:
  /// The second derivative of gelu. Factors that vanish for large |x| are multiplied first, because
  /// the factors that grow may overflow in 16-bit dtypes.
  static constexpr auto bend(const auto& x, const attributes& a) {
    const auto squared = x * x;
    if (!a.by_tanh()) {
      const auto height = ops::exp(squared * -0.5) * 0.39894228040143267794;
      return 2 * height - x * (x * height);
    }
    const double c = 0.79788456080286535588, k = 0.044715;
    const auto t = ops::tanh(x * (1 + squared * k) * c), inner = c + squared * (3 * k * c), left = 1 - t * t;
    const auto once = left * inner;
    return once + x * (left * (x * (3 * k * c)) - t * once * inner);
  }
} gelu_backward;

}  // namespace internal

}  // namespace koila::inline v0
