// SPDX-License-Identifier: MIT
#pragma once
// Definitions of max_pool_backward.hpp.
#include <koila/ops/common/pooling_operators.ipp>
#include <koila/ops/internal/max_pool_backward.hpp>

namespace koila::inline v0::internal {

void max_pool_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  dx.zero_();
  if (dy.numel() == 0) return;
  const detail::pool_operators by(a.pooling);
  by.as_lines(by.planes(dx)).scatter_add_(1, by.where_maxima_are(x), by.as_lines(by.planes(dy)));
}

}  // namespace koila::inline v0::internal
