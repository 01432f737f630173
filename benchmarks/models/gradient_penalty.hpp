// SPDX-License-Identifier: MIT
#pragma once
// A loss with the norm of a gradient, which needs second derivatives (Gulrajani et al. 2017).
#include "models/maker.hpp"

namespace models {

inline auto gradient_penalty(dtype t) -> model {
  maker m(t);
  const tensor_leaf x = m.normal("x", {14});
  const dynamic fake = m.normal("fake", {14});
  const dynamic w = m.parameter("w", {20, 14}), b = m.parameter("b", {20}), v = m.parameter("v", {1, 20});
  const auto judge = [&](const dynamic& features) -> dynamic {
    return koila::linear(softplus(koila::linear(features, w, b)), v);
  };
  const dynamic y = judge(x);
  const dynamic slope = gradient(dynamic(sum(y)), x);  // (batch, 14)
  const dynamic lengths = norm(slope, 2, dim = 1);
  const dynamic loss = mean(judge(fake)) - mean(y) + mean(square(lengths - 1)) * 10;
  return m.finish("gradient_penalty", y, loss);
}

}  // namespace models
