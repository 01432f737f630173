// SPDX-License-Identifier: MIT
#pragma once
// attention_backward: the gradients of attention with respect to queries, keys and values.
#include <koila/ops/attention/attention_op.hpp>

namespace koila::inline v0::internal {

/// (..., l, v) x (..., l, v) x (..., l, e) x (..., s, e) x (..., s, v) -> (..., l + s + s, max(e,
/// v)): the gradients with respect to q, k and v, concatenated along the second-last dim. The
/// operands are dy, the result y of attention, q, k and v. Narrower gradients are padded with zero
/// columns. The attention weights are recomputed in blocks. An optional sixth operand is the mask
/// of attention.
inline constexpr struct attention_backward : detail::attention_back<attention_backward, detail::attention_attributes> {
  static constexpr std::string_view name = "attention_backward";
  static void evaluate(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                       const at::Tensor& k, const at::Tensor& v, const attributes& a);
  static void evaluate(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                       const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, const attributes& a);
} attention_backward;

}  // namespace koila::inline v0::internal
