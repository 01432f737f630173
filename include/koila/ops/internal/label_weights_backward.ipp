// SPDX-License-Identifier: MIT
#pragma once
// Definitions of label_weights_backward.hpp.
#include <koila/ops/common/label_operators.ipp>
#include <koila/ops/internal/label_weights_backward.hpp>

namespace koila::inline v0::internal {

void label_weights_backward::evaluate(at::Tensor& dweight, const at::Tensor& dy, const at::Tensor& label,
                                      const at::Tensor&, const attributes& a) {
  dweight.zero_();
  const detail::counted_labels by(label, a);
  dweight.index_add_(0, by.label.reshape(-1), dy.masked_fill(by.ignored, 0).reshape(-1));
}

}  // namespace koila::inline v0::internal
