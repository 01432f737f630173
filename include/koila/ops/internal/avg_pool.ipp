// SPDX-License-Identifier: MIT
#pragma once
// Definitions of avg_pool.hpp.
#include <koila/ops/common/pooling_operators.ipp>
#include <koila/ops/internal/avg_pool.hpp>

namespace koila::inline v0::internal {

void avg_pool::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  if (y.numel() > 0) detail::pool_operators(a.pooling).mean(y, x);
}

}  // namespace koila::inline v0::internal
