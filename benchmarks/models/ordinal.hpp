// SPDX-License-Identifier: MIT
#pragma once
// Several margin and ranking losses over the same scores.
#include "models/maker.hpp"

namespace models {

inline auto ordinal(dtype t) -> model {
  maker m(t);
  const dynamic a = m.normal("a", {12}), b = m.normal("b", {12}), better = m.classes("better", 0, 1);
  const dynamic w = m.parameter("w", {16, 12}), v = m.parameter("v", {1, 16});
  const auto score = [&](const dynamic& x) -> dynamic {
    return squeeze(koila::linear(hardswish(koila::linear(x, w)), v), -1);
  };
  const dynamic x = score(a), y = score(b);
  const dynamic sign = better * 2 - 1;  // 1 or -1
  const dynamic loss =
      margin_ranking_loss(x, y, sign, margin = 0.3) + mean(softplus(-(x - y) * sign)) + poisson_nll_loss(x, better);
  return m.finish("ordinal", x - y, loss);
}

}  // namespace models
