// SPDX-License-Identifier: MIT
#pragma once
// Soft clusters whose centres are means over the batch, and a loss that balances the clusters
// (Caron et al. 2020).
#include "models/maker.hpp"

namespace models {

inline auto clusters(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {11});
  const dynamic z = m.linear(gelu(m.linear(x, 11, 20)), 20, 6);  // (batch, 6)
  const dynamic p = softmax(m.linear(z, 6, 4), -1);              // (batch, 4)
  const dynamic q = p / (sum(p, 0) + 1e-6);                      // balanced over the batch
  const dynamic centres = matmul(transpose(q, 0, 1), z);         // (4, 6)
  const dynamic near = sum(square(z - matmul(p, centres)), -1);
  const dynamic share = mean(p, 0);
  return m.finish("clusters", p, mean(near) + sum(koila::internal::xlogx(share)));
}

}  // namespace models
