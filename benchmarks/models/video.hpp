// SPDX-License-Identifier: MIT
#pragma once
// Convolutions over time, height and width (Tran et al. 2015).
#include "models/maker.hpp"

namespace models {

inline auto video(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {2, 6, 8, 8}), label = m.classes("label", 0, 4);
  dynamic h = max_pool3d(relu(m.conv3d(x, 2, 4, 3, {.padding = 1})), 2);  // (batch, 4, 3, 4, 4)
  h = relu(m.conv3d(h, 4, 6, 3, {.padding = 1}));
  const dynamic y = m.linear(mean(h, list_of(2, 3, 4)), 6, 5);
  return m.finish("video", y, cross_entropy(y, label));
}

}  // namespace models
