// SPDX-License-Identifier: MIT
#pragma once
// A denoising autoencoder (Vincent et al. 2008).
#include "models/maker.hpp"

namespace models {

inline auto autoencoder(dtype t) -> model {
  maker m(t);
  const dynamic x = m.uniform("x", {64});
  const dynamic noisy = koila::dropout(x, 0.1);
  const dynamic code = tanh(m.linear(relu(m.linear(noisy, 64, 32)), 32, 8));  // (batch, 8)
  const dynamic y = m.linear(relu(m.linear(code, 8, 32)), 32, 64);
  model out = m.finish("autoencoder", y, binary_cross_entropy_with_logits(y, x));
  out.random = true;
  return out;
}

}  // namespace models
