// SPDX-License-Identifier: MIT
#pragma once
// Definitions of conv_input.hpp.
#include <koila/ops/common/convolution_operators.ipp>
#include <koila/ops/internal/conv_input.hpp>

namespace koila::inline v0::internal {

void conv_input::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& w, const at::Tensor&,
                          const attributes& a) {
  detail::convolution_operators(w, a).transposed(dx, dy, w, nullptr);
}

}  // namespace koila::inline v0::internal
