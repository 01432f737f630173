// SPDX-License-Identifier: MIT
#pragma once
// A small DenseNet: every layer reads all layers before it (Huang et al. 2017).
#include "models/maker.hpp"

namespace models {

inline auto densenet(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 12, 12}), label = m.classes("label", 0, 9);
  dynamic h = m.conv2d(x, 3, 8, 3, {.padding = 1, .bias = false});
  index_t channels = 8;
  for (int block = 0; block < 2; ++block) {
    for (int i = 0; i < 2; ++i, channels += 4)
      h = cat(h, m.conv2d(relu(m.batch_norm(h, channels)), channels, 4, 3, {.padding = 1, .bias = false}), dim = 1);
    if (block == 0)
      h = avg_pool2d(m.conv2d(relu(m.batch_norm(h, channels)), channels, channels, 1, {.bias = false}), 2);
  }
  const dynamic y = m.linear(mean(relu(m.batch_norm(h, channels)), list_of(2, 3)), channels, 10);
  model out = m.finish("densenet", y, cross_entropy(y, label));
  out.deep_norm = true;
  return out;
}

}  // namespace models
