// SPDX-License-Identifier: MIT
#pragma once
// bitwise_xor: a ^ b.
#include <koila/ops/pointwise/comparison.hpp>

namespace koila::inline v0 {

/// (...) x (...) -> (...), broadcast: a ^ b. Integers and booleans only.
inline constexpr struct bitwise_xor : bitwise<bitwise_xor> {
  static constexpr std::string_view name = "bitwise_xor";
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b);
} bitwise_xor;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/bitwise_xor_ops.h>

namespace koila::inline v0 {

inline void bitwise_xor::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::bitwise_xor_Tensor_out::call(a, b, y);
}

}  // namespace koila::inline v0
#endif
