// SPDX-License-Identifier: MIT
#pragma once
// Pixel shuffle (Shi et al. 2016); the result is added to an interpolated image.
#include "models/maker.hpp"

namespace models {

inline auto super_resolution(dtype t) -> model {
  maker m(t);
  const dynamic x = m.uniform("x", {1, 8, 8}), target = m.uniform("target", {1, 16, 16});
  const dynamic h = tanh(m.conv2d(tanh(m.conv2d(x, 1, 8, 5, {.padding = 2})), 8, 6, 3, {.padding = 1}));
  const dynamic fine = pixel_shuffle(m.conv2d(h, 6, 4, 3, {.padding = 1}), 2);  // (batch, 1, 16, 16)
  const dynamic y = fine + interpolate(x, size = list_of(16, 16), mode = kBilinear);
  return m.finish("super_resolution", y, smooth_l1_loss(y, target));
}

}  // namespace models
