// SPDX-License-Identifier: MIT
#pragma once
// attention: softmax(scale * q @ k^T) @ v, computed in blocks, so that the whole matrix of scores
// is never stored.
#include <koila/ops/internal/attention_backward.hpp>

namespace koila::inline v0::internal {

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v): softmax(scale * q @ k^T) @ v, computed
/// in blocks of queries. All operands have the same leading dims. scaled_dot_product_attention
/// without dropout expands to this op if rules::attention_by_blocks accepts the dims. An optional
/// fourth operand is the mask, which broadcasts with (..., l, s). A boolean mask is true where a
/// key takes part; any other mask is added to the scores. The result is 0 for a query whose keys
/// are all masked.
inline constexpr struct attention : detail::attention_op<attention, struct attention_backward> {
  static constexpr std::string_view name = "attention";
  static void evaluate(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const attributes& a);
  static void evaluate(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const at::Tensor& mask, const attributes& a);
} attention;

}  // namespace koila::inline v0::internal
