// SPDX-License-Identifier: MIT
#pragma once
// Definitions of dropout_attention.hpp.
#include <koila/ops/common/attention_operators.ipp>
#include <koila/ops/internal/dropout_attention.hpp>

namespace koila::inline v0::internal {

void dropout_attention::draw(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             const attributes& a, const detail::portion& where) {
  detail::attend_by_operators(y, {q, k, v, nullptr}, a, where);
}
void dropout_attention::draw(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             const at::Tensor& mask, const attributes& a, const detail::portion& where) {
  detail::attend_by_operators(y, {q, k, v, &mask}, a, where);
}

}  // namespace koila::inline v0::internal
