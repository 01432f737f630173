// SPDX-License-Identifier: MIT
#pragma once
// logical_and: whether both operands are nonzero.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: whether both operands are nonzero.
inline constexpr struct logical_and : comparison<logical_and> {
  static constexpr std::string_view name = "logical_and";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} logical_and;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/logical_and_ops.h>

namespace koila::inline v0 {

inline void logical_and::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::logical_and_out::call(a, b, y);
}

}  // namespace koila::inline v0
#endif
