// SPDX-License-Identifier: MIT
#pragma once
// Definitions of scatter_add.hpp.
#include <koila/ops/common/index_operators.ipp>
#include <koila/ops/indexing/scatter_add.hpp>

namespace koila::inline v0 {

void scatter_add::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const at::Tensor& src,
                           const attributes& a) {
  y.copy_(x);
  y.scatter_add_(a.dim.value, index, detail::source_of(y, index, src));
}

}  // namespace koila::inline v0
