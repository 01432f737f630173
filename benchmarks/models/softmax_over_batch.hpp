// SPDX-License-Identifier: MIT
#pragma once
// Samples compete by a softmax over the batch (multiple instance learning with attention, Ilse et
// al. 2018).
#include "models/maker.hpp"

namespace models {

inline auto softmax_over_batch(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {15}), target = m.normal("target", {10});
  const dynamic h = tanh(m.linear(x, 15, 24));
  const dynamic weight = softmax(m.linear(h, 24, 1), 0);  // (batch, 1), sums to 1 over the batch
  const dynamic bag = sum(weight * h, 0);                 // (24)
  const dynamic y = m.linear(h * bag, 24, 10);
  return m.finish("softmax_over_batch", y, mse_loss(y, target));
}

}  // namespace models
