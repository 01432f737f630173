// SPDX-License-Identifier: MIT
#pragma once
// Definitions of topk_indices.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/topk_indices.hpp>

#include <ATen/ops/empty_like_ops.h>
#include <ATen/ops/topk_ops.h>

namespace koila::inline v0::internal {

void topk_indices::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::Tensor values =
      at::_ops::empty_like::call(y, x.scalar_type(), std::nullopt, std::nullopt, std::nullopt, std::nullopt);
  at::_ops::topk_values::call(x, a.k.value, a.dim.value, a.largest.value, a.sorted.value, values, y);
}

}  // namespace koila::inline v0::internal
