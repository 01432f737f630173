// SPDX-License-Identifier: MIT
#pragma once
// log2: the logarithm of x to base 2.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the logarithm of x to base 2. Integers become float32.
inline constexpr struct log2 : unary_floating<log2> {
  static constexpr std::string_view name = "log2";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy / (x * 0.69314718055994530942));
  }
} log2;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's log2"
KOILA_UNARY_FUNCTION(log2)
