// SPDX-License-Identifier: MIT
#pragma once
// Definitions of conv_transpose3d.hpp.
#include <koila/ops/common/convolution_operators.ipp>
#include <koila/ops/convolution/conv_transpose3d.hpp>

namespace koila::inline v0 {

void conv_transpose3d::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const attributes& a) {
  detail::convolution_operators(w, a).transposed(y, x, w, nullptr);
}
void conv_transpose3d::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                                const attributes& a) {
  detail::convolution_operators(w, a).transposed(y, x, w, &b);
}

}  // namespace koila::inline v0
