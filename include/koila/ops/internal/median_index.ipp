// SPDX-License-Identifier: MIT
#pragma once
// Definitions of median_index.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/median_index.hpp>

#include <ATen/ops/empty_like_ops.h>
#include <ATen/ops/median_ops.h>

namespace koila::inline v0::internal {

void median_index::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::Tensor values =
      at::_ops::empty_like::call(y, x.scalar_type(), std::nullopt, std::nullopt, std::nullopt, std::nullopt);
  at::_ops::median_dim_values::call(x, a.dim.value, a.keepdim.value, values, y);
}

}  // namespace koila::inline v0::internal
