// SPDX-License-Identifier: MIT
#pragma once
// Attention over the batch: every sample attends to all samples (Kossen et al. 2021).
#include "models/maker.hpp"

namespace models {

inline auto memory_bank(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {13}), label = m.classes("label", 0, 4);
  const dynamic h = m.layer_norm(m.linear(x, 13, 16), 16);
  const dynamic q = m.linear(h, 16, 16), k = m.linear(h, 16, 16), v = m.linear(h, 16, 16);
  const dynamic weight = softmax(matmul(q, transpose(k, 0, 1)) * 0.25, -1);  // (batch, batch)
  const dynamic y = m.linear(relu(h + matmul(weight, v)), 16, 5);
  return m.finish("memory_bank", y, cross_entropy(y, label));
}

}  // namespace models
