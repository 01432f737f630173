// SPDX-License-Identifier: MIT
#pragma once
// asinh: the number whose hyperbolic sine is x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/rsqrt.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the number whose hyperbolic sine is x. Integers become float32.
inline constexpr struct asinh : unary_floating<asinh> {
  static constexpr std::string_view name = "asinh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * rsqrt(x * x + 1));
  }
} asinh;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's asinh"
KOILA_UNARY_FUNCTION(asinh)
