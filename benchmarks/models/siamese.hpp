// SPDX-License-Identifier: MIT
#pragma once
// Two views of each sample. Their embeddings must be closest to each other in the whole batch (van
// den Oord et al. 2018).
#include "models/maker.hpp"

namespace models {

inline auto siamese(dtype t) -> model {
  maker m(t);
  const dynamic one = m.normal("one", {18}), two = m.normal("two", {18});
  const dynamic w = m.parameter("w", {32, 18}), b = m.parameter("b", {32}), v = m.parameter("v", {8, 32});
  const auto embed = [&](const dynamic& x) -> dynamic {
    const dynamic z = koila::linear(relu(koila::linear(x, w, b)), v);
    return z / (norm(z, 2, dim = -1, keepdim = true) + 1e-6);
  };
  const dynamic q = embed(one), k = embed(two);
  return m.finish("siamese", q, (info_nce(q, k, 0.5) + info_nce(k, q, 0.5)) * 0.5);
}

}  // namespace models
