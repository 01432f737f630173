// SPDX-License-Identifier: MIT
#pragma once
// gt: a > b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a > b.
inline constexpr struct gt : comparison<gt> {
  static constexpr std::string_view name = "gt";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} gt;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/gt_ops.h>

namespace koila::inline v0 {

inline void gt::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::gt_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
#endif
