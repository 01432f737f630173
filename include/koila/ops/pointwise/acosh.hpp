// SPDX-License-Identifier: MIT
#pragma once
// acosh: the number whose hyperbolic cosine is x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/rsqrt.hpp>
#include <koila/ops/pointwise/sub.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the number whose hyperbolic cosine is x. Integers become float32.
inline constexpr struct acosh : unary_floating<acosh> {
  static constexpr std::string_view name = "acosh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * rsqrt(x * x - 1));
  }
} acosh;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's acosh"
KOILA_UNARY_FUNCTION(acosh)
