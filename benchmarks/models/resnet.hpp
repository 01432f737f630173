// SPDX-License-Identifier: MIT
#pragma once
// A small ResNet, with batch norm in training (He et al. 2016).
#include "models/maker.hpp"

namespace models {

inline auto residual_block(maker& m, const dynamic& x, index_t in_features, index_t out, index_t step) -> dynamic {
  const dynamic a =
      relu(m.batch_norm(m.conv2d(x, in_features, out, 3, {.stride = step, .padding = 1, .bias = false}), out));
  const dynamic b = m.batch_norm(m.conv2d(a, out, out, 3, {.padding = 1, .bias = false}), out);
  if (in_features == out && step == 1) return relu(b + x);
  return relu(b + m.batch_norm(m.conv2d(x, in_features, out, 1, {.stride = step, .bias = false}), out));
}

inline auto resnet(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 16, 16}), label = m.classes("label", 0, 9);
  dynamic h = relu(m.batch_norm(m.conv2d(x, 3, 8, 3, {.padding = 1, .bias = false}), 8));
  h = residual_block(m, max_pool2d(h, 2), 8, 8, 1);
  h = residual_block(m, h, 8, 16, 2);
  const dynamic y = m.linear(mean(h, list_of(2, 3)), 16, 10);
  model out = m.finish("resnet", y, cross_entropy(y, label));
  out.deep_norm = true;
  return out;
}

}  // namespace models
