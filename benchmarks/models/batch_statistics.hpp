// SPDX-License-Identifier: MIT
#pragma once
// Reductions of every kind over the batch, in the output and in the loss.
#include "models/maker.hpp"

namespace models {

inline auto batch_statistics(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {12});
  const dynamic h = tanh(m.linear(x, 12, 16));  // (batch, 16)
  const dynamic lowest = amin(h, 0), range = amax(h, 0) - lowest + 0.1;
  const dynamic y = (h - lowest) / range;
  const dynamic z = (h - mean(h, 0)) * rsqrt(mean(square(h - mean(h, 0)), 0) + 1e-3);
  const dynamic third = mean(z * z * z), fourth = mean(square(square(z)));
  const dynamic loss = mean(square(y - 0.5)) + square(third) + square(fourth - 3) * 0.1 + mean(logsumexp(h, 0)) * 0.01 +
                       norm(h) * 0.01 + mean(prod(h * 0.1 + 1, 0)) * 0.1;
  return m.finish("batch_statistics", y, loss);
}

}  // namespace models
