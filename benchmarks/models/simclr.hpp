// SPDX-License-Identifier: MIT
#pragma once
// Two views of each sample, concatenated; each view must find the other view of its sample (Chen et
// al. 2020).
#include "models/maker.hpp"

namespace models {

inline auto simclr(dtype t) -> model {
  maker m(t);
  const dynamic one = m.normal("one", {16}), two = m.normal("two", {16});
  const dynamic both = cat(one, two, dim = 0);  // (2 batch, 16)
  const dynamic h = m.linear(relu(m.linear(both, 16, 24)), 24, 8);
  const dynamic z = h / (norm(h, 2, dim = -1, keepdim = true) + 1e-6);
  const dynamic scores = matmul(z, transpose(z, 0, 1)) * 2;  // (2 batch, 2 batch)
  const dynamic own = sum(square(z), -1) * 2;                // each sample with itself
  const dynamic others = koila::log(sum(koila::exp(scores), 1) - koila::exp(own) + 1e-9);
  const dynamic right = sum(z * roll(z, 1, 1), -1);
  return m.finish("simclr", z, mean(others) - mean(right));
}

}  // namespace models
