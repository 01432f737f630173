// SPDX-License-Identifier: MIT
#pragma once
// Predicts a mean and a variance for each target (Nix and Weigend 1994).
#include "models/maker.hpp"

namespace models {

inline auto gaussian_regression(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {16}), target = m.normal("target", {3});
  const dynamic h = silu(m.linear(x, 16, 32));
  const dynamic y = m.linear(h, 32, 3), variance = softplus(m.linear(h, 32, 3)) + 1e-3;
  return m.finish("gaussian_regression", y, gaussian_nll_loss(y, target, variance));
}

}  // namespace models
