// SPDX-License-Identifier: MIT
#pragma once
// An encoder of transformer layers, with a mask for padding words (Vaswani et al. 2017).
#include "models/maker.hpp"

namespace models {

inline auto encoder_transformer(dtype t) -> model {
  maker m(t);
  const dynamic text = m.classes("text", 0, 19, {10}), label = m.classes("label", 0, 3);
  dynamic h = m.embedding(text, 20, 16) + dynamic(m.parameter("position", {10, 16}, {initial::normal, 0.1}));
  for (int i = 0; i < 2; ++i) h = m.transformer_layer(h, 16, 4, false);
  const dynamic words = unsqueeze(where(ne(text, 0), 1, 0), -1);  // (batch, 10, 1)
  const dynamic pooled = sum(m.layer_norm(h, 16) * words, 1) / clamp_min(sum(words, 1), 1);
  const dynamic y = m.linear(pooled, 16, 4);
  return m.finish("encoder_transformer", y, cross_entropy(y, label));
}

}  // namespace models
