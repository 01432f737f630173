// SPDX-License-Identifier: MIT
#pragma once
// Definitions of index_select.hpp.
#include <koila/ops/common/index_operators.ipp>
#include <koila/ops/indexing/index_select.hpp>

namespace koila::inline v0 {

void index_select::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const attributes& a) {
  const detail::rows_along rows(x, a.dim.value, index, a.from_end.value);
  rows.chosen(y).copy_(rows.all(x).index_select(1, rows.index));
}

}  // namespace koila::inline v0
