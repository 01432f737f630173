// SPDX-License-Identifier: MIT
#pragma once
// A list-wise loss on samples sorted by their targets, with cumulative sums along the batch (Cox
// 1972; Xia et al. 2008).
#include "models/maker.hpp"

namespace models {

inline auto ranking(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {9}), happened = m.classes("happened", 0, 1);
  const dynamic score = squeeze(m.linear(relu(m.linear(x, 9, 16)), 16, 1), -1);  // (batch), sorted by time
  const dynamic at_risk = flip(cumsum(flip(koila::exp(score), 0), 0), 0);        // sums over this and later samples
  const dynamic loss = sum((koila::log(at_risk) - score) * happened) / (sum(happened) + 1);
  return m.finish("ranking", score, loss);
}

}  // namespace models
