// SPDX-License-Identifier: MIT
#pragma once
// Definitions of embedding_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/embedding_backward.hpp>

namespace koila::inline v0::internal {

void embedding_backward::evaluate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& index, const at::Tensor& w,
                                  const attributes& a) {
  dw.zero_();
  accumulate(dw, dy, index, w, a);
}
void embedding_backward::accumulate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& index, const at::Tensor&,
                                    const attributes& a) {
  const std::int64_t width = dw.size(1), padding = a.padding(dw.size(0));
  const at::Tensor counted = padding < 0 ? dy : dy.masked_fill(index.eq(padding).unsqueeze(-1), 0);
  dw.index_add_(0, index.reshape(-1), counted.view({index.numel(), width}));
}

}  // namespace koila::inline v0::internal
