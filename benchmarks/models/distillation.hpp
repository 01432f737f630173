// SPDX-License-Identifier: MIT
#pragma once
// A small network that learns from a large one (Hinton et al. 2015).
#include "models/maker.hpp"

namespace models {

inline auto distillation(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {22}), label = m.classes("label", 0, 7);
  const dynamic teacher = detach(m.linear(relu(m.linear(x, 22, 64)), 64, 8));
  const dynamic y = m.linear(relu(m.linear(x, 22, 12)), 12, 8);
  const dynamic difference = kl_div(log_softmax(y / 2, -1), softmax(teacher / 2, -1), reduction = kBatchMean);
  return m.finish("distillation", y, cross_entropy(y, label) * 0.5 + difference * 2);
}

}  // namespace models
