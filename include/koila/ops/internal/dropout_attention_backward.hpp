// SPDX-License-Identifier: MIT
#pragma once
// dropout_attention_backward: the gradients of dropout_attention with respect to queries, keys and
// values.
#include <koila/ops/attention/attention_op.hpp>

namespace koila::inline v0::internal {

/// (..., l, v) x (..., l, v) x (..., l, e) x (..., s, e) x (..., s, v) -> (..., l + s + s, max(e,
/// v)): the gradients with respect to q, k and v, concatenated along the second-last dim. The
/// operands are dy, the result y of dropout_attention, q, k and v. Narrower gradients are padded
/// with zero columns. The attention weights are recomputed in blocks. An optional sixth operand is
/// the mask of dropout_attention.
inline constexpr struct dropout_attention_backward
    : detail::attention_back<dropout_attention_backward, detail::dropout_attention_attributes> {
  static constexpr std::string_view name = "dropout_attention_backward";
  static constexpr bool draws_anywhere = true;
  static void draw(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                   const at::Tensor& v, const attributes& a, const detail::portion& where);
  static void draw(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                   const at::Tensor& v, const at::Tensor& mask, const attributes& a, const detail::portion& where);
} dropout_attention_backward;

}  // namespace koila::inline v0::internal
