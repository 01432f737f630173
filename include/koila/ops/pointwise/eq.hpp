// SPDX-License-Identifier: MIT
#pragma once
// eq: a == b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a == b.
inline constexpr struct eq : comparison<eq> {
  static constexpr std::string_view name = "eq";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} eq;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/eq_ops.h>

namespace koila::inline v0 {

inline void eq::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::eq_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
#endif
