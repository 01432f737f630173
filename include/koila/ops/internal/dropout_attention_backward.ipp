// SPDX-License-Identifier: MIT
#pragma once
// Definitions of dropout_attention_backward.hpp.
#include <koila/ops/common/attention_operators.ipp>
#include <koila/ops/internal/dropout_attention_backward.hpp>

namespace koila::inline v0::internal {

void dropout_attention_backward::draw(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                                      const at::Tensor& k, const at::Tensor& v, const attributes& a,
                                      const detail::portion& where) {
  detail::attend_back_by_operators(all, dy, y, {q, k, v, nullptr}, a, where);
}
void dropout_attention_backward::draw(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                                      const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                                      const attributes& a, const detail::portion& where) {
  detail::attend_back_by_operators(all, dy, y, {q, k, v, &mask}, a, where);
}

}  // namespace koila::inline v0::internal
