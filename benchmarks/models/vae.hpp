// SPDX-License-Identifier: MIT
#pragma once
// A variational autoencoder (Kingma and Welling 2013).
#include "models/maker.hpp"

namespace models {

inline auto vae(dtype t) -> model {
  maker m(t);
  const dynamic x = m.uniform("x", {60});
  const dynamic h = relu(m.linear(x, 60, 40));
  const dynamic mean = m.linear(h, 40, 6), log_var = m.linear(h, 40, 6);
  const dynamic z = mean + koila::exp(log_var * 0.5) * randn_like(mean);  // (batch, 6)
  const dynamic y = m.linear(relu(m.linear(z, 6, 40)), 40, 60);
  const dynamic kl = koila::mean(sum(koila::exp(log_var) + mean * mean - log_var - 1, 1)) * 0.5;
  const dynamic loss = koila::mean(sum(binary_cross_entropy_with_logits(y, x, reduction = kNone), 1)) + kl;
  model out = m.finish("vae", y, loss);
  out.random = out.own_numbers = true;
  return out;
}

}  // namespace models
