// SPDX-License-Identifier: MIT
#pragma once
// Shared by the kernels of the embedding ops.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/sparse/embedding_base.hpp>

namespace koila::inline v0::detail {

/// Calls f(i, row) for each element of the index, where i is the element's position and row its
/// value. Throws c10::IndexError if a row is not in [0, n).
template <class F>
void for_each_row(const at::Tensor& index, std::int64_t n, F f) {
  const auto* rows = data<std::int64_t>(index);
  for (std::int64_t i = 0; i < index.numel(); ++i) {
    TORCH_CHECK_INDEX(rows[i] >= 0 && rows[i] < n, "index ", rows[i], " is not in [0, ", n, ")");
    f(i, rows[i]);
  }
}

}  // namespace koila::inline v0::detail
