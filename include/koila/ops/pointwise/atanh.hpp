// SPDX-License-Identifier: MIT
#pragma once
// atanh: the number whose hyperbolic tangent is x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the number whose hyperbolic tangent is x. Integers become float32.
inline constexpr struct atanh : unary_floating<atanh> {
  static constexpr std::string_view name = "atanh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy / (1 - x * x)); }
} atanh;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's atanh"
KOILA_UNARY_FUNCTION(atanh)
