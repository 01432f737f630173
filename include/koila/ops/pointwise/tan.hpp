// SPDX-License-Identifier: MIT
#pragma once
// tan: the tangent of x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): the tangent of x. Integers become float32.
inline constexpr struct tan : unary_floating<tan> {
  static constexpr std::string_view name = "tan";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(dy * (y * y + 1)); }
} tan;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's tan"
KOILA_UNARY_FUNCTION(tan)
