// SPDX-License-Identifier: MIT
#pragma once
// atan: the angle whose tangent is x.
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/elementwise.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/operators.hpp>

namespace koila::inline v0 {

namespace ops {  // the C library declares this name, too

/// (...) -> (...): the angle whose tangent is x. Integers become float32.
inline constexpr struct atan : unary_floating<atan> {
  static constexpr std::string_view name = "atan";
  static void evaluate(at::Tensor& y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(dy / (x * x + 1)); }
} atan;

}  // namespace ops
}  // namespace koila::inline v0

#line 1 "koila's atan"
KOILA_UNARY_FUNCTION(atan)
