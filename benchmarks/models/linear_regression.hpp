// SPDX-License-Identifier: MIT
#pragma once
// One linear layer, with a robust loss (Huber 1964).
#include "models/maker.hpp"

namespace models {

inline auto linear_regression(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {32}), target = m.normal("target", {1});
  const dynamic y = m.linear(x, 32, 1);
  return m.finish("linear_regression", y, huber_loss(y, target));
}

}  // namespace models
