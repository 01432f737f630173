// SPDX-License-Identifier: MIT
#pragma once
// expm1: e^x - 1.
#include <koila/expr/function.hpp>
#include <koila/ops/common/element_math.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): e^x - 1. Integers become float32.
inline constexpr struct expm1 : unary_floating<expm1> {
  static constexpr std::string_view name = "expm1";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  [[gnu::always_inline]] static auto element(float x) -> float { return detail::expm1_of(x); }
  static auto elements() -> detail::float_elements;
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(dy * (y + 1)); }
} expm1;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's expm1"
KOILA_UNARY_FUNCTION(expm1)
