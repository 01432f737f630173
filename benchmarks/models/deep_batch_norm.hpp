// SPDX-License-Identifier: MIT
#pragma once
// Eight batch norms in a chain (Ioffe and Szegedy 2015): seventeen loops over the batch.
#include "models/maker.hpp"

namespace models {

inline auto deep_batch_norm(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {24}), label = m.classes("label", 0, 5);
  dynamic h = x;
  for (int i = 0; i < 8; ++i) h = tanh(m.batch_norm(m.linear(h, i == 0 ? 24 : 32, 32, false), 32));
  const dynamic y = m.linear(h, 32, 6);  // (batch, 6)
  model out = m.finish("deep_batch_norm", y, cross_entropy(y, label));
  out.least = 2;
  out.deep_norm = true;
  return out;
}

}  // namespace models
