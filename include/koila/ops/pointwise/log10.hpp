// SPDX-License-Identifier: MIT
#pragma once
// log10: the logarithm of x to base 10.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the logarithm of x to base 10. Integers become float32.
inline constexpr struct log10 : unary_floating<log10> {
  static constexpr std::string_view name = "log10";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy / (x * 2.30258509299404568402));
  }
} log10;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's log10"
KOILA_UNARY_FUNCTION(log10)
