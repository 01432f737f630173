// SPDX-License-Identifier: MIT
#pragma once
// A regulariser of batch statistics: variance, invariance and covariance of features over the batch
// (Bardes et al. 2022).
#include "models/maker.hpp"

namespace models {

inline auto vicreg(dtype t) -> model {
  maker m(t);
  const dynamic one = m.normal("one", {14}), two = m.normal("two", {14});
  const dynamic w = m.parameter("w", {20, 14}), v = m.parameter("v", {8, 20});
  const auto embed = [&](const dynamic& x) -> dynamic { return koila::linear(gelu(koila::linear(x, w)), v); };
  const auto spread = [](const dynamic& z) -> dynamic {
    const dynamic off = z - mean(z, 0);
    const dynamic covariance = matmul(transpose(off, 0, 1), off) / sum(ones_like(select(off, 1, 0)));  // (8, 8)
    const dynamic between = sum(square(covariance * (1 - dynamic(eye(8)))));
    return mean(relu(1 - koila::sqrt(var(z, 0) + 1e-4))) + between / 8;
  };
  const dynamic a = embed(one), b = embed(two);
  model out = m.finish("vicreg", a, mse_loss(a, b) * 25 + spread(a) * 25 + spread(b) * 25);
  out.least = 2;
  return out;
}

}  // namespace models
