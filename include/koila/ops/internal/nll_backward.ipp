// SPDX-License-Identifier: MIT
#pragma once
// Definitions of nll_backward.hpp.
#include <koila/ops/common/label_operators.ipp>
#include <koila/ops/internal/nll_backward.hpp>

namespace koila::inline v0::internal {

void nll_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const at::Tensor& label,
                            const attributes& a) {
  dx.zero_();
  const detail::counted_labels by(label, a);
  const auto d = detail::class_dim(dx);
  dx.scatter_(d, by.label.unsqueeze(d), dy.neg().masked_fill_(by.ignored, 0).unsqueeze(d));
}

}  // namespace koila::inline v0::internal
