#pragma once
// What the kernels of the embeddings share.
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/embedding.hpp>

namespace koila::detail {

/// Calls f(which index, the row it stands for) for each index; throws c10::IndexError for a row
/// that does not exist.
template <class F>
void for_each_row(const at::Tensor& index, std::int64_t n, F f) {
  const auto* rows = data<std::int64_t>(index);
  for (std::int64_t i = 0; i < index.numel(); ++i) {
    TORCH_CHECK_INDEX(rows[i] >= 0 && rows[i] < n, "index ", rows[i], " is not in [0, ", n, ")");
    f(i, rows[i]);
  }
}

}  // namespace koila::detail
