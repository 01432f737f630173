// SPDX-License-Identifier: MIT
#pragma once
// Images and texts. Matching embeddings must be closest to each other in the whole batch; the
// temperature is learned (Radford et al. 2021).
#include "models/maker.hpp"

namespace models {

inline auto clip(dtype t) -> model {
  maker m(t);
  const dynamic image = m.normal("image", {1, 8, 8}), text = m.classes("text", 0, 11, {6});
  const auto unit = [](const dynamic& z) -> dynamic { return z / (norm(z, 2, dim = -1, keepdim = true) + 1e-6); };
  const dynamic seen = unit(m.linear(koila::flatten(relu(m.conv2d(image, 1, 4, 3, {.stride = 2})), 1), 36, 8));
  const dynamic read = unit(m.linear(mean(m.embedding(text, 12, 10), 1), 10, 8));
  const dynamic scale = koila::exp(dynamic(m.parameter("temperature", {}, {initial::constant, 0.7})));
  const dynamic scores = matmul(seen, transpose(read, 0, 1)) * scale;  // (batch, batch)
  const dynamic own = koila::internal::sample_index(image);
  const dynamic loss = (cross_entropy(scores, own) + cross_entropy(transpose(scores, 0, 1), own)) / 2;
  return m.finish("clip", seen, loss);
}

}  // namespace models
