// SPDX-License-Identifier: MIT
#pragma once
// A plain recurrent network, time first, that predicts a number for each sample (Elman 1990).
#include "models/maker.hpp"

namespace models {

inline auto rnn_regression(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {8, 5}, 1), target = m.normal("target", {1});
  const dynamic h = m.rnn(x, 5, 14);  // (8, batch, 14)
  const dynamic y = m.linear(select(h, 0, -1), 14, 1);
  return m.finish("rnn_regression", y, mse_loss(y, target));
}

}  // namespace models
