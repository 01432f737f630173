// SPDX-License-Identifier: MIT
#pragma once
// Two views of each sample. The loss drives the cross-correlation matrix of the views' features
// over the batch to the identity matrix (Zbontar et al. 2021).
#include "models/maker.hpp"

namespace models {

inline auto barlow(dtype t) -> model {
  maker m(t);
  const dynamic one = m.normal("one", {16}), two = m.normal("two", {16});
  const dynamic w = m.parameter("w", {24, 16}), v = m.parameter("v", {10, 24});
  const auto embed = [&](const dynamic& x) -> dynamic { return koila::linear(relu(koila::linear(x, w)), v); };
  const dynamic a = embed(one);
  const dynamic p = batch_norm(a), q = batch_norm(embed(two));  // (batch, 10)
  const dynamic c = matmul(transpose(p, 0, 1), q) / sum(ones_like(select(one, 1, 0)));  // (10, 10)
  const dynamic unit = eye(10);
  const dynamic difference = square(c - unit);
  const dynamic loss = sum(difference * unit) + sum(difference * (1 - unit)) * 0.05;
  model out = m.finish("barlow", a, loss);
  out.least = 2;
  return out;
}

}  // namespace models
