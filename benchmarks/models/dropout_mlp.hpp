// SPDX-License-Identifier: MIT
#pragma once
// A perceptron with dropout (Srivastava et al. 2014).
#include "models/maker.hpp"

namespace models {

inline auto dropout_mlp(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {40}), label = m.classes("label", 0, 9);
  dynamic h = koila::dropout(relu(m.linear(koila::dropout(x, 0.2), 40, 64)), 0.5);
  h = koila::dropout(relu(m.linear(h, 64, 48)), 0.5);
  const dynamic y = m.linear(h, 48, 10);  // (batch, 10)
  model out = m.finish("dropout_mlp", y, cross_entropy(y, label));
  out.random = true;
  return out;
}

}  // namespace models
