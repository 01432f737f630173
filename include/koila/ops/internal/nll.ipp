// SPDX-License-Identifier: MIT
#pragma once
// Definitions of nll.hpp.
#include <koila/ops/common/label_operators.ipp>
#include <koila/ops/internal/nll.hpp>

namespace koila::inline v0::internal {

void nll::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a) {
  const detail::counted_labels by(label, a);
  const auto d = detail::class_dim(x);
  y.copy_(x.gather(d, by.label.unsqueeze(d)).squeeze(d)).neg_().masked_fill_(by.ignored, 0);
}

}  // namespace koila::inline v0::internal
