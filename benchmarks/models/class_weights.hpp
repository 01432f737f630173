// SPDX-License-Identifier: MIT
#pragma once
// Losses with class weights, with ignored labels, and with label smoothing.
#include "models/maker.hpp"

namespace models {

inline auto class_weights(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {18}), label = m.classes("label", 0, 5, {}, -100);
  const dynamic weight = m.buffer("weight", {6}, 0.7);
  const dynamic y = m.linear(tanh(m.linear(x, 18, 20)), 20, 6);
  const dynamic loss = cross_entropy(y, label, weight * dynamic(arange(1, 7))) +
                       cross_entropy(y, label, weight, label_smoothing = 0.2) + nll_loss(log_softmax(y, 1), label);
  return m.finish("class_weights", y, loss);
}

}  // namespace models
