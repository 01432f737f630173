// SPDX-License-Identifier: MIT
#pragma once
// Distances between all pairs of samples in the batch. Samples of the same kind are pushed apart;
// samples of different kinds are pulled together (kernels as in Gretton et al. 2012).
#include "models/maker.hpp"

namespace models {

inline auto pairwise(dtype t) -> model {
  maker m(t);
  const dynamic source = m.normal("source", {10}), target = m.normal("target", {10});
  const dynamic w = m.parameter("w", {12, 10}), b = m.parameter("b", {12});
  const auto embed = [&](const dynamic& x) -> dynamic { return sigmoid(koila::linear(x, w, b)); };
  const auto far = [](const dynamic& a, const dynamic& c) -> dynamic {  // (batch, batch)
    return sum(square(unsqueeze(a, 1) - unsqueeze(c, 0)), -1);
  };
  const dynamic p = embed(source), q = embed(target);
  const dynamic loss = mean(koila::exp(-far(p, p))) + mean(koila::exp(-far(q, q))) + mean(far(p, q)) * 0.1;
  return m.finish("pairwise", p, loss);
}

}  // namespace models
