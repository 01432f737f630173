// SPDX-License-Identifier: MIT
#pragma once
// Instance norms and Gram matrices of features (Gatys et al. 2016).
#include "models/maker.hpp"

namespace models {

inline auto style(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 10, 10}), target = m.normal("target", {8, 8});
  dynamic h = relu(instance_norm(m.conv2d(x, 3, 6, 3, {.padding = 1})));
  h = relu(instance_norm(m.conv2d(pad(h, list_of(1, 1, 1, 1), mode = kReflect), 6, 8, 3)));  // (batch, 8, 10, 10)
  const dynamic features = koila::flatten(h, 2);                                          // (batch, 8, 100)
  const dynamic gram = matmul(features, transpose(features, 1, 2)) / 100;
  return m.finish("style", gram, mse_loss(gram, target));
}

}  // namespace models
