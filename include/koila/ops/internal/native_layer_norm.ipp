// SPDX-License-Identifier: MIT
#pragma once
// Definitions of native_layer_norm.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/native_layer_norm.hpp>

#include <ATen/ops/native_layer_norm_ops.h>

namespace koila::inline v0::internal {

void native_layer_norm::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                                 const attributes& a) {
  y.copy_(std::get<0>(at::_ops::native_layer_norm::call(x, w.sym_sizes(), w, b, a.eps.value)));
}

}  // namespace koila::inline v0::internal
