// SPDX-License-Identifier: MIT
#pragma once
// ne: a != b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a != b.
inline constexpr struct ne : comparison<ne> {
  static constexpr std::string_view name = "ne";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} ne;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/ne_ops.h>

namespace koila::inline v0 {

inline void ne::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::ne_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
#endif
