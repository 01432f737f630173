// SPDX-License-Identifier: MIT
#pragma once
// Sets of points. The features of the points are reduced by mean, maximum and logsumexp (Zaheer et
// al. 2017).
#include "models/maker.hpp"

namespace models {

inline auto deep_sets(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {11, 3}), label = m.classes("label", 0, 4);
  const dynamic each = elu(m.linear(elu(m.linear(x, 3, 16)), 16, 16));  // (batch, 11, 16)
  const dynamic set = cat(mean(each, 1), amax(each, 1), logsumexp(each, 1), dim = -1);
  const dynamic y = m.linear(mish(m.linear(set, 48, 16)), 16, 5);
  return m.finish("deep_sets", y, cross_entropy(y, label));
}

}  // namespace models
