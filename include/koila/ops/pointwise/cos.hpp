// SPDX-License-Identifier: MIT
#pragma once
// cos: the cosine of x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/neg.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

struct sin;

/// (...) -> (...): the cosine of x. Integers become float32.
inline constexpr struct cos : unary_floating<cos> {
  static constexpr std::string_view name = "cos";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(-(dy * detail::call<struct sin>(x)));
  }
} cos;

}  // namespace ops
}  // namespace koila::inline v0

#include <koila/ops/pointwise/sin.hpp>

#line 1 "koila's cos"
KOILA_UNARY_FUNCTION(cos)
