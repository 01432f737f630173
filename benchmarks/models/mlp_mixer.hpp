// SPDX-License-Identifier: MIT
#pragma once
// A small MLP-Mixer: perceptrons over patches and over channels (Tolstikhin et al. 2021).
#include "models/maker.hpp"

namespace models {

inline auto mlp_mixer(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 12, 12}), label = m.classes("label", 0, 9);
  const auto mix = [&](const dynamic& v, index_t width) -> dynamic {
    return m.linear(gelu(m.linear(v, width, 2 * width)), 2 * width, width);
  };
  dynamic h = transpose(koila::flatten(m.conv2d(x, 3, 12, 4, {.stride = 4}), 2), 1, 2);  // (batch, 9, 12)
  for (int i = 0; i < 2; ++i) {
    h = h + transpose(mix(transpose(m.layer_norm(h, 12), 1, 2), 9), 1, 2);
    h = h + mix(m.layer_norm(h, 12), 12);
  }
  const dynamic y = m.linear(mean(m.layer_norm(h, 12), 1), 12, 10);
  return m.finish("mlp_mixer", y, cross_entropy(y, label));
}

}  // namespace models
