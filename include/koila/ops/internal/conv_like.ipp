// SPDX-License-Identifier: MIT
#pragma once
// Definitions of conv_like.hpp.
#include <koila/ops/common/convolution_operators.ipp>
#include <koila/ops/internal/conv_like.hpp>

namespace koila::inline v0::internal {

void conv_like::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor&,
                         const attributes& a) {
  detail::convolution_operators(w, a).forward(y, x, w, nullptr);
}

}  // namespace koila::inline v0::internal
