// SPDX-License-Identifier: MIT
#pragma once
// A convolutional autoencoder with transposed convolutions.
#include "models/maker.hpp"

namespace models {

inline auto conv_autoencoder(dtype t) -> model {
  maker m(t);
  const dynamic x = m.uniform("x", {1, 16, 16});
  dynamic h = leaky_relu(m.conv2d(x, 1, 6, 3, {.stride = 2, .padding = 1}));
  h = leaky_relu(m.conv2d(h, 6, 10, 3, {.stride = 2, .padding = 1}));  // (batch, 10, 4, 4)
  h = leaky_relu(m.conv_transpose2d(h, 10, 6, 2, 2));
  const dynamic y = sigmoid(m.conv_transpose2d(h, 6, 1, 2, 2));
  return m.finish("conv_autoencoder", y, mse_loss(y, x) + l1_loss(y, x) * 0.1);
}

}  // namespace models
