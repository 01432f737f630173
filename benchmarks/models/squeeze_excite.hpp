// SPDX-License-Identifier: MIT
#pragma once
// Inverted residuals with squeeze and excitation (Hu et al. 2018; Tan and Le 2019), with group
// norm.
#include "models/maker.hpp"

namespace models {

inline auto squeeze_excite(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 12, 12}), label = m.classes("label", 0, 9);
  dynamic h = silu(m.group_norm(m.conv2d(x, 3, 8, 3, {.stride = 2, .padding = 1, .bias = false}), 2, 8));
  for (int i = 0; i < 2; ++i) {
    const dynamic wide = silu(m.group_norm(m.conv2d(h, 8, 16, 1), 4, 16));
    const dynamic deep = silu(m.conv2d(wide, 16, 16, 3, {.padding = 1, .groups = 16}));  // (batch, 16, 6, 6)
    const dynamic gate = sigmoid(m.linear(silu(m.linear(mean(deep, list_of(2, 3)), 16, 4)), 4, 16));
    h = h + m.conv2d(deep * unsqueeze(unsqueeze(gate, -1), -1), 16, 8, 1);
  }
  const dynamic y = m.linear(koila::flatten(adaptive_avg_pool2d(h, 2), 1), 32, 10);
  return m.finish("squeeze_excite", y, cross_entropy(y, label));
}

}  // namespace models
