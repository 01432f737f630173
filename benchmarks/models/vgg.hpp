// SPDX-License-Identifier: MIT
#pragma once
// A small VGG (Simonyan and Zisserman 2014).
#include "models/maker.hpp"

namespace models {

inline auto vgg(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 16, 16}), label = m.classes("label", 0, 9);
  dynamic h = x;
  index_t channels = 3;
  for (const index_t out : {8, 12, 16}) {
    h = relu(m.conv2d(h, channels, out, 3, {.padding = 1}));
    h = max_pool2d(relu(m.conv2d(h, out, out, 3, {.padding = 1})), 2);
    channels = out;
  }
  const dynamic y = m.linear(relu(m.linear(koila::flatten(h, 1), 64, 32)), 32, 10);
  return m.finish("vgg", y, cross_entropy(y, label));
}

}  // namespace models
