// SPDX-License-Identifier: MIT
#pragma once
// Definitions of window_sum.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/window_sum.hpp>

namespace koila::inline v0::internal {

void window_sum::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const auto n = x.size(a.dim.value);
  y.copy_(x);
  for (auto k = -std::min(a.left.value, n - 1); k <= std::min(a.right.value, n - 1); ++k) {
    if (k == 0) continue;
    const auto from = std::max<std::int64_t>(k, 0), to = std::max<std::int64_t>(-k, 0), length = n - from - to;
    y.narrow(a.dim.value, to, length).add_(x.narrow(a.dim.value, from, length));
  }
}

}  // namespace koila::inline v0::internal
