// SPDX-License-Identifier: MIT
#pragma once
// dropout_attention: attention with dropout of the attention weights.
#include <koila/ops/internal/dropout_attention_backward.hpp>

namespace koila::inline v0::internal {

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v): dropout(softmax(scale * q @ k^T)) @ v,
/// with an optional mask, as in attention. The whole matrix of attention weights is never stored.
/// If the samples lie along a leading dim, the op drops the same weights as the op `dropout` would.
inline constexpr struct dropout_attention : detail::attention_op<dropout_attention, struct dropout_attention_backward> {
  static constexpr std::string_view name = "dropout_attention";
  static constexpr bool draws_anywhere = true;
  static void draw(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const attributes& a,
                   const detail::portion& where);
  static void draw(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                   const attributes& a, const detail::portion& where);
} dropout_attention;

}  // namespace koila::inline v0::internal
