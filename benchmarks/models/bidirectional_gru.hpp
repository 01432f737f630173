// SPDX-License-Identifier: MIT
#pragma once
// A GRU in both directions, time first (Cho et al. 2014), that labels every step.
#include "models/maker.hpp"

namespace models {

inline auto bidirectional_gru(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {6, 9}, 1), label = m.classes("label", 0, 3, {6});  // (6, batch, 9), (batch, 6)
  const dynamic both = cat(m.gru(x, 9, 12), m.gru(x, 9, 12, true), dim = -1);         // (6, batch, 24)
  const dynamic y = m.linear(both, 24, 4);
  return m.finish("bidirectional_gru", y, cross_entropy(permute(y, 1, 2, 0), label));
}

}  // namespace models
