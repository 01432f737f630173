// SPDX-License-Identifier: MIT
#pragma once
// A small MobileNet: depthwise and pointwise convolutions, batch norm, relu6 (Howard et al. 2017).
#include "models/maker.hpp"

namespace models {

inline auto mobilenet(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 16, 16}), label = m.classes("label", 0, 9);
  dynamic h = relu6(m.batch_norm(m.conv2d(x, 3, 8, 3, {.stride = 2, .padding = 1, .bias = false}), 8));
  index_t channels = 8;
  for (const index_t out : {12, 16}) {
    h = relu6(m.batch_norm(
        m.conv2d(h, channels, channels, 3, {.stride = 2, .padding = 1, .groups = channels, .bias = false}), channels));
    h = relu6(m.batch_norm(m.conv2d(h, channels, out, 1, {.bias = false}), out));
    channels = out;
  }
  const dynamic y = m.linear(mean(h, list_of(2, 3)), 16, 10);
  model out = m.finish("mobilenet", y, cross_entropy(y, label));
  out.deep_norm = true;
  return out;
}

}  // namespace models
