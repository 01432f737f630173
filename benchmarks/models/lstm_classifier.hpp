// SPDX-License-Identifier: MIT
#pragma once
// Two LSTM layers over a sequence, batch first (Hochreiter and Schmidhuber 1997).
#include "models/maker.hpp"

namespace models {

inline auto lstm_classifier(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {7, 10}), label = m.classes("label", 0, 4);
  const dynamic h = m.lstm(transpose(x, 0, 1), 10, 16);  // (7, batch, 16)
  const dynamic last = select(m.lstm(h, 16, 12), 0, -1);
  const dynamic y = m.linear(last, 12, 5);
  return m.finish("lstm_classifier", y, cross_entropy(y, label));
}

}  // namespace models
