// SPDX-License-Identifier: MIT
#pragma once
// Definitions of conv_weight.hpp.
#include <koila/ops/common/convolution_operators.ipp>
#include <koila/ops/internal/conv_weight.hpp>

namespace koila::inline v0::internal {

void conv_weight::evaluate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& x, const at::Tensor&,
                           const attributes& a) {
  detail::convolution_operators(dw, a).weight(dw, dy, x, false);
}
void conv_weight::accumulate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& x, const at::Tensor&,
                             const attributes& a) {
  detail::convolution_operators(dw, a).weight(dw, dy, x, true);
}

}  // namespace koila::inline v0::internal
