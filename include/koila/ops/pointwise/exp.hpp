// SPDX-License-Identifier: MIT
#pragma once
// exp: e to the power of x.
#include <koila/expr/function.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): e to the power of x. Integers become float32.
inline constexpr struct exp : unary_floating<exp> {
  static constexpr std::string_view name = "exp";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::exp_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(mul(dy, y)); }
} exp;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's exp"
KOILA_UNARY_FUNCTION(exp)
