// SPDX-License-Identifier: MIT
#pragma once
// A small ViT: the tokens are patches, and one token for the class (Dosovitskiy et al. 2021).
#include "models/maker.hpp"

namespace models {

inline auto vision_transformer(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 12, 12}), label = m.classes("label", 0, 9);
  const dynamic patches = transpose(koila::flatten(m.conv2d(x, 3, 16, 4, {.stride = 4}), 2), 1, 2);  // (batch, 9, 16)
  const dynamic one = dynamic(m.parameter("class", {1, 16}, {initial::normal, 0.1}));
  const dynamic word = unsqueeze(zeros_like(select(patches, 1, 0)), 1) + one;  // (batch, 1, 16)
  dynamic h = cat(word, patches, dim = 1) + dynamic(m.parameter("position", {10, 16}, {initial::normal, 0.1}));
  for (int i = 0; i < 2; ++i) h = m.transformer_layer(h, 16, 4, false);
  const dynamic y = m.linear(m.layer_norm(select(h, 1, 0), 16), 16, 10);
  return m.finish("vision_transformer", y, cross_entropy(y, label));
}

}  // namespace models
