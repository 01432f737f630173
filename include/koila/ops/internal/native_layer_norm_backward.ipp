// SPDX-License-Identifier: MIT
#pragma once
// Definitions of native_layer_norm_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/native_layer_norm_backward.hpp>

#include <ATen/ops/native_layer_norm_backward_ops.h>
#include <ATen/ops/native_layer_norm_ops.h>

namespace koila::inline v0::internal {

void native_layer_norm_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x,
                                          const at::Tensor& w, const attributes& a) {
  const auto [y, mean, scale] = at::_ops::native_layer_norm::call(x, w.sym_sizes(), w, {}, a.eps.value);
  dx.copy_(std::get<0>(
      at::_ops::native_layer_norm_backward::call(dy, x, w.sym_sizes(), mean, scale, w, {}, {true, false, false})));
}

}  // namespace koila::inline v0::internal
