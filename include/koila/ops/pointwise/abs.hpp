// SPDX-License-Identifier: MIT
#pragma once
// abs: the absolute value of x.
#include <koila/expr/function.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>
#include <koila/ops/pointwise/sign.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the absolute value of x. Booleans are not accepted.
inline constexpr struct abs : unary_number<abs> {
  static constexpr std::string_view name = "abs";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(auto x) { return detail::magnitude(x); }
  static auto elements() -> detail::all_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy * sign(x)); }
} abs;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's abs"
KOILA_UNARY_FUNCTION(abs)
