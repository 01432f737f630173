// SPDX-License-Identifier: MIT
#pragma once
// A decoder of transformer layers as in GPT (Radford et al. 2019). The loss ignores some words.
#include "models/maker.hpp"

namespace models {

inline auto decoder_transformer(dtype t) -> model {
  maker m(t);
  const dynamic text = m.classes("text", 0, 23, {12}), next = m.classes("next", 0, 23, {12}, -100);
  const dynamic words = m.embedding(text, 24, 16);
  dynamic h = words + dynamic(m.parameter("position", {12, 16}, {initial::normal, 0.1}));
  for (int i = 0; i < 2; ++i) h = m.transformer_layer(h, 16, 2, true);
  const dynamic y = m.linear(m.layer_norm(h, 16), 16, 24, false);  // (batch, 12, 24)
  return m.finish("decoder_transformer", y, cross_entropy(reshape(y, -1, 24), reshape(next, -1)));
}

}  // namespace models
