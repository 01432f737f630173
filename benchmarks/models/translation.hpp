// SPDX-License-Identifier: MIT
#pragma once
// An encoder, and a decoder that attends to it (Vaswani et al. 2017), with label smoothing.
#include "models/maker.hpp"

namespace models {

inline auto translation(dtype t) -> model {
  maker m(t);
  const dynamic from = m.classes("from", 0, 15, {7}), to = m.classes("to", 0, 15, {5}),
                next = m.classes("next", 0, 15, {5}, -1);
  const dynamic memory = m.layer_norm(m.transformer_layer(m.embedding(from, 16, 12), 12, 3, false), 12);
  dynamic h = m.embedding(to, 16, 12);
  const dynamic normal = m.layer_norm(h, 12);
  h = h + m.attention(normal, normal, 12, 3, true);
  h = h + m.attention(m.layer_norm(h, 12), memory, 12, 3, false);
  h = h + m.linear(relu(m.linear(m.layer_norm(h, 12), 12, 24)), 24, 12);
  const dynamic y = m.linear(h, 12, 16);  // (batch, 5, 16)
  const dynamic loss = cross_entropy(transpose(y, 1, 2), next, ignore_index = -1, label_smoothing = 0.1);
  return m.finish("translation", y, loss);
}

}  // namespace models
