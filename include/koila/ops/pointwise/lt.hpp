// SPDX-License-Identifier: MIT
#pragma once
// lt: a < b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> bool (...), broadcast: a < b.
inline constexpr struct lt : comparison<lt> {
  static constexpr std::string_view name = "lt";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} lt;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/lt_ops.h>

namespace koila::inline v0 {

inline void lt::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::lt_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
#endif
