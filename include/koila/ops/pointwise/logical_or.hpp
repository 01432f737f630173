// SPDX-License-Identifier: MIT
#pragma once
// logical_or: whether at least one operand is nonzero.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: whether at least one operand is nonzero.
inline constexpr struct logical_or : comparison<logical_or> {
  static constexpr std::string_view name = "logical_or";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} logical_or;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/logical_or_ops.h>

namespace koila::inline v0 {

inline void logical_or::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::logical_or_out::call(a, b, y);
}

}  // namespace koila::inline v0
#endif
