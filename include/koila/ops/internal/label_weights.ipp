// SPDX-License-Identifier: MIT
#pragma once
// Definitions of label_weights.hpp.
#include <koila/ops/common/label_operators.ipp>
#include <koila/ops/internal/label_weights.hpp>

namespace koila::inline v0::internal {

void label_weights::evaluate(at::Tensor& y, const at::Tensor& label, const at::Tensor& weight, const attributes& a) {
  const detail::counted_labels by(label, a);
  y.copy_(weight.index_select(0, by.label.reshape(-1)).view(y.sizes())).masked_fill_(by.ignored, 0);
}

}  // namespace koila::inline v0::internal
