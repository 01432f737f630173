// SPDX-License-Identifier: MIT
#pragma once
// Definitions of attention.hpp.
#include <koila/ops/common/attention_operators.ipp>
#include <koila/ops/internal/attention.hpp>

namespace koila::inline v0::internal {

void attention::evaluate(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                         const attributes& a) {
  detail::attend_by_operators(y, {q, k, v, nullptr}, a);
}
void attention::evaluate(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                         const at::Tensor& mask, const attributes& a) {
  detail::attend_by_operators(y, {q, k, v, &mask}, a);
}

}  // namespace koila::inline v0::internal
