// SPDX-License-Identifier: MIT
#pragma once
// One block applied repeatedly, so that many gradients add up for each weight (an ordinary
// differential equation, solved by Euler's method).
#include "models/maker.hpp"

namespace models {

inline auto shared_weights(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {24}), target = m.normal("target", {24});
  const dynamic w = m.parameter("w", {32, 24}), b = m.parameter("b", {32}), v = m.parameter("v", {24, 32});
  dynamic h = x;
  for (int i = 0; i < 6; ++i) h = h + koila::linear(tanh(koila::linear(h, w, b)), v) * 0.2;
  return m.finish("shared_weights", h, mse_loss(h, target));
}

}  // namespace models
