// SPDX-License-Identifier: MIT
#pragma once
// A small AlexNet (Krizhevsky et al. 2012): overlapping pools, local response norms, groups,
// dropout.
#include "models/maker.hpp"

namespace models {

inline auto alexnet(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 31, 31}), label = m.classes("label", 0, 9);
  dynamic h = relu(m.conv2d(x, 3, 8, 5, {.stride = 2, .padding = 2}));  // (batch, 8, 16, 16)
  h = max_pool2d(local_response_norm(h, 3), 3, stride = 2);             // (batch, 8, 7, 7)
  h = relu(m.conv2d(h, 8, 12, 3, {.padding = 1, .groups = 2}));
  h = max_pool2d(local_response_norm(h, 3), 3, stride = 2);  // (batch, 12, 3, 3)
  h = relu(m.conv2d(h, 12, 12, 3, {.padding = 1}));
  h = koila::dropout(koila::flatten(h, 1), 0.5);  // (batch, 108)
  h = koila::dropout(relu(m.linear(h, 108, 32)), 0.5);
  const dynamic y = m.linear(h, 32, 10);
  model out = m.finish("alexnet", y, cross_entropy(y, label));
  out.random = true;
  return out;
}

}  // namespace models
