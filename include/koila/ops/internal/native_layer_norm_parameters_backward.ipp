// SPDX-License-Identifier: MIT
#pragma once
// Definitions of native_layer_norm_parameters_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/native_layer_norm_parameters_backward.hpp>

#include <ATen/ops/native_layer_norm_ops.h>

namespace koila::inline v0::internal {

void native_layer_norm_parameters_backward::evaluate(at::Tensor& y, const at::Tensor& dy, const at::Tensor& x,
                                                     const at::Tensor&, const attributes& a) {
  const at::Tensor of_y = y.select(0, 0), of_dy = y.select(0, 1);  // (shape...)
  const at::Tensor standard = std::get<0>(at::_ops::native_layer_norm::call(x, of_y.sym_sizes(), {}, {}, a.eps.value));
  const auto sum = [&](const at::Tensor& v) { return v.reshape({-1, of_y.numel()}).sum(0).view(of_y.sizes()); };
  of_y.copy_(sum(dy.mul(standard)));
  of_dy.copy_(sum(dy));
}

}  // namespace koila::inline v0::internal
