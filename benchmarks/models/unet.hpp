// SPDX-License-Identifier: MIT
#pragma once
// A small U-Net (Ronneberger et al. 2015); the loss is per pixel.
#include "models/maker.hpp"

namespace models {

inline auto unet(dtype t) -> model {
  maker m(t);
  const auto twice = [&](const dynamic& x, index_t in_features, index_t out) -> dynamic {
    return relu(m.conv2d(relu(m.conv2d(x, in_features, out, 3, {.padding = 1})), out, out, 3, {.padding = 1}));
  };
  const dynamic x = m.normal("x", {1, 16, 16}), label = m.classes("label", 0, 2, {16, 16});
  const dynamic a = twice(x, 1, 6);                    // (batch, 6, 16, 16)
  const dynamic b = twice(max_pool2d(a, 2), 6, 12);    // (batch, 12, 8, 8)
  const dynamic c = twice(max_pool2d(b, 2), 12, 16);   // (batch, 16, 4, 4)
  const dynamic d = twice(cat(m.conv_transpose2d(c, 16, 12, 2, 2), b, dim = 1), 24, 12);
  const dynamic e = twice(cat(m.conv_transpose2d(d, 12, 6, 2, 2), a, dim = 1), 12, 6);
  const dynamic y = m.conv2d(e, 6, 3, 1);
  return m.finish("unet", y, cross_entropy(y, label));
}

}  // namespace models
