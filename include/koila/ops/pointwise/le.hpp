// SPDX-License-Identifier: MIT
#pragma once
// le: a <= b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a <= b.
inline constexpr struct le : comparison<le> {
  static constexpr std::string_view name = "le";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} le;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/le_ops.h>

namespace koila::inline v0 {

inline void le::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::le_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
#endif
