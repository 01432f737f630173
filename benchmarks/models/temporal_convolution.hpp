// SPDX-License-Identifier: MIT
#pragma once
// Dilated causal convolutions with gates (van den Oord et al. 2016).
#include "models/maker.hpp"

namespace models {

inline auto temporal_convolution(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {4, 20}), target = m.normal("target", {4, 20});
  dynamic h = m.conv1d(x, 4, 8, 1);
  dynamic skips = h;
  for (const index_t d : {1, 2, 4}) {
    const dynamic before = pad(h, list_of(d, 0));
    const dynamic gated = tanh(m.conv1d(before, 8, 8, 2, {}, d)) * sigmoid(m.conv1d(before, 8, 8, 2, {}, d));
    skips = skips + gated;
    h = h + m.conv1d(gated, 8, 8, 1);
  }
  const dynamic y = m.conv1d(relu(skips), 8, 4, 1);  // (batch, 4, 20)
  return m.finish("temporal_convolution", y, mse_loss(y, target));
}

}  // namespace models
