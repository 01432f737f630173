// SPDX-License-Identifier: MIT
#pragma once
// tanh: the hyperbolic tangent of x.
#include <koila/expr/function.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/internal/tanh_backward.hpp>
#include <koila/ops/pointwise/elementwise.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): the hyperbolic tangent of x. Integers become float32.
inline constexpr struct tanh : unary_floating<tanh> {
  static constexpr std::string_view name = "tanh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::tanh_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) {
    return gradients(internal::tanh_backward(dy, y));
  }
} tanh;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's tanh"
KOILA_UNARY_FUNCTION(tanh)
