// SPDX-License-Identifier: MIT
#pragma once
// Definitions of avg_pool_backward.hpp.
#include <koila/ops/common/pooling_operators.ipp>
#include <koila/ops/internal/avg_pool_backward.hpp>

namespace koila::inline v0::internal {

void avg_pool_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
  dx.zero_();
  if (dy.numel() > 0) detail::pool_operators(a.pooling).mean_backward(dx, dy);
}

}  // namespace koila::inline v0::internal
