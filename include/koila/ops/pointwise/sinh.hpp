// SPDX-License-Identifier: MIT
#pragma once
// sinh: the hyperbolic sine of x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

struct cosh;

/// (...) -> (...): the hyperbolic sine of x. Integers become float32.
inline constexpr struct sinh : unary_floating<sinh> {
  static constexpr std::string_view name = "sinh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * detail::call<struct cosh>(x));
  }
} sinh;

}  // namespace ops
}  // namespace koila::inline v0

#include <koila/ops/pointwise/cosh.hpp>

#line 1 "koila's sinh"
KOILA_UNARY_FUNCTION(sinh)
