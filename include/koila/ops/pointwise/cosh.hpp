// SPDX-License-Identifier: MIT
#pragma once
// cosh: the hyperbolic cosine of x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

struct sinh;

/// (...) -> (...): the hyperbolic cosine of x. Integers become float32.
inline constexpr struct cosh : unary_floating<cosh> {
  static constexpr std::string_view name = "cosh";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(dy * detail::call<struct sinh>(x));
  }
} cosh;

}  // namespace ops
}  // namespace koila::inline v0

#include <koila/ops/pointwise/sinh.hpp>

#line 1 "koila's cosh"
KOILA_UNARY_FUNCTION(cosh)
