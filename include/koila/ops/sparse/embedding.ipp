// SPDX-License-Identifier: MIT
#pragma once
// Definitions of embedding.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/sparse/embedding.hpp>

namespace koila::inline v0 {

void embedding::evaluate(at::Tensor& y, const at::Tensor& index, const at::Tensor& w, const attributes& a) {
  y.view({index.numel(), w.size(1)}).copy_(w.index_select(0, index.reshape(-1)));
  if (a.zero_padding.value && a.given()) y.masked_fill_(index.eq(a.padding(w.size(0))).unsqueeze(-1), 0);
}

}  // namespace koila::inline v0
