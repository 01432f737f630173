// SPDX-License-Identifier: MIT
#pragma once
// Definitions of max_pool_at.hpp.
#include <koila/ops/common/pooling_operators.ipp>
#include <koila/ops/internal/max_pool_at.hpp>

namespace koila::inline v0::internal {

void max_pool_at::evaluate(at::Tensor& y, const at::Tensor& v, const at::Tensor& x, const attributes& a) {
  if (y.numel() == 0) return;
  const detail::pool_operators by(a.pooling);
  by.as_lines(by.planes(y)).copy_(by.as_lines(by.planes(v)).gather(1, by.where_maxima_are(x)));
}

}  // namespace koila::inline v0::internal
