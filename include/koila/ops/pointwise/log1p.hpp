// SPDX-License-Identifier: MIT
#pragma once
// log1p: the natural logarithm of 1 + x.
#include <koila/expr/function.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the natural logarithm of 1 + x. Integers become float32.
inline constexpr struct log1p : unary_floating<log1p> {
  static constexpr std::string_view name = "log1p";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::log1p_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy / (x + 1)); }
} log1p;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's log1p"
KOILA_UNARY_FUNCTION(log1p)
