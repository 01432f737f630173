// SPDX-License-Identifier: MIT
#pragma once
// A deep perceptron with gelu.
#include "models/maker.hpp"

namespace models {

inline auto mlp(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {48}), label = m.classes("label", 0, 9);
  dynamic h = gelu(m.linear(x, 48, 64));
  for (int i = 0; i < 4; ++i) h = gelu(m.linear(h, 64, 64));
  const dynamic y = m.linear(h, 64, 10);  // (batch, 10)
  return m.finish("mlp", y, cross_entropy(y, label));
}

}  // namespace models
