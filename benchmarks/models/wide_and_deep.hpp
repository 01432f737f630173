// SPDX-License-Identifier: MIT
#pragma once
// Each sample has categories and numbers (Cheng et al. 2016).
#include "models/maker.hpp"

namespace models {

inline auto wide_and_deep(dtype t) -> model {
  maker m(t);
  const dynamic kinds = m.classes("kinds", 0, 29, {4}), numbers = m.normal("numbers", {12}),
                target = m.uniform("target", {});
  const dynamic wide = squeeze(sum(m.embedding(kinds, 30, 1), 1), -1);  // (batch)
  const dynamic deep = cat(koila::flatten(m.embedding(kinds, 30, 8), 1), numbers, dim = 1);  // (batch, 44)
  const dynamic h = relu(m.linear(relu(m.linear(deep, 44, 32)), 32, 16));
  const dynamic y = squeeze(m.linear(h, 16, 1), -1) + wide;
  return m.finish("wide_and_deep", y, binary_cross_entropy_with_logits(y, target));
}

}  // namespace models
