// SPDX-License-Identifier: MIT
#pragma once
// An anchor must be nearer to its match than to another sample (Schroff et al. 2015).
#include "models/maker.hpp"

namespace models {

inline auto triplet(dtype t) -> model {
  maker m(t);
  const dynamic anchor = m.normal("anchor", {16}), like = m.normal("like", {16}), other = m.normal("other", {16});
  const dynamic w = m.parameter("w", {24, 16}), b = m.parameter("b", {24}), v = m.parameter("v", {8, 24});
  const auto embed = [&](const dynamic& x) -> dynamic {
    const dynamic z = koila::linear(relu(koila::linear(x, w, b)), v);
    return z / clamp_min(norm(z, 2, dim = -1, keepdim = true), 1e-6);
  };
  const dynamic a = embed(anchor);
  return m.finish("triplet", a, triplet_margin_loss(a, embed(like), embed(other), margin = 0.5));
}

}  // namespace models
