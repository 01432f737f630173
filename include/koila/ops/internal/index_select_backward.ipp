// SPDX-License-Identifier: MIT
#pragma once
// Definitions of index_select_backward.hpp.
#include <koila/ops/common/index_operators.ipp>
#include <koila/ops/internal/index_select_backward.hpp>

namespace koila::inline v0::internal {

void index_select_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& index,
                                     const attributes& a) {
  dx.zero_();
  accumulate(dx, dy, x, index, a);
}
void index_select_backward::accumulate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const at::Tensor& index,
                                       const attributes& a) {
  if (dy.numel() == 0) return;
  const detail::rows_along rows(dx, a.dim.value, index, a.from_end.value);
  rows.all(dx).index_add_(1, rows.index, rows.chosen(dy));
}

}  // namespace koila::inline v0::internal
