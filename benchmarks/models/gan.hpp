// SPDX-License-Identifier: MIT
#pragma once
// Both losses of a GAN in one step (Goodfellow et al. 2014). The gradient of each network comes
// from its own loss only.
#include "models/maker.hpp"

namespace models {

inline auto gan(dtype t) -> model {
  maker m(t);
  const dynamic real = m.normal("real", {20}), noise = m.normal("noise", {6});
  const dynamic w = m.parameter("w", {16, 20}), b = m.parameter("b", {16}), v = m.parameter("v", {1, 16});
  const auto judge = [](const dynamic& x, const dynamic& first, const dynamic& bias, const dynamic& second) -> dynamic {
    return koila::linear(leaky_relu(koila::linear(x, first, bias), 0.2), second);  // (batch, 1)
  };
  const dynamic made = tanh(m.linear(relu(m.linear(noise, 6, 24)), 24, 20));  // (batch, 20)
  const dynamic yes = judge(real, w, b, v), no = judge(detach(made), w, b, v);
  const dynamic fooled = judge(made, detach(w), detach(b), detach(v));
  const dynamic loss = mean(softplus(-yes)) + mean(softplus(no)) + mean(softplus(-fooled));
  return m.finish("gan", made, loss);
}

}  // namespace models
