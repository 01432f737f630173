// SPDX-License-Identifier: MIT
#pragma once
// exp2: 2 to the power of x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): 2 to the power of x. Integers become float32.
inline constexpr struct exp2 : unary_floating<exp2> {
  static constexpr std::string_view name = "exp2";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) {
    return gradients(dy * (y * 0.69314718055994530942));
  }
} exp2;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's exp2"
KOILA_UNARY_FUNCTION(exp2)
