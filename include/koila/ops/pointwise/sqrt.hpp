// SPDX-License-Identifier: MIT
#pragma once
// sqrt: the square root of x.
#include <koila/expr/function.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // C declares a function of this name

/// (...) -> (...): the square root of x. Integers become float32.
inline constexpr struct sqrt : unary_floating<sqrt> {
  static constexpr std::string_view name = "sqrt";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr bool sets_errno = true;  // sqrt may set errno: compilers vectorise it only with -fno-math-errno
  [[gnu::always_inline]] static auto element(auto x) { return detail::root_of(x); }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(dy / (y * 2)); }
} sqrt;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's sqrt"
KOILA_UNARY_FUNCTION(sqrt)
