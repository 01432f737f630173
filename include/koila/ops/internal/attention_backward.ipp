// SPDX-License-Identifier: MIT
#pragma once
// Definitions of attention_backward.hpp.
#include <koila/ops/common/attention_operators.ipp>
#include <koila/ops/internal/attention_backward.hpp>

namespace koila::inline v0::internal {

void attention_backward::evaluate(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                                  const at::Tensor& k, const at::Tensor& v, const attributes& a) {
  detail::attend_back_by_operators(all, dy, y, {q, k, v, nullptr}, a);
}
void attention_backward::evaluate(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                                  const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                                  const attributes& a) {
  detail::attend_back_by_operators(all, dy, y, {q, k, v, &mask}, a);
}

}  // namespace koila::inline v0::internal
