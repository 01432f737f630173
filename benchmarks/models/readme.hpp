// SPDX-License-Identifier: MIT
#pragma once
// The program of README.md with narrower layers: a model whose shapes the compiler knows.
#include "models/maker.hpp"

namespace models {

template <dtype T>
struct readme_mlp {
  parameter<T, 64, 196> w1{"w1"};
  parameter<T, 64> b1{"b1"};
  parameter<T, 10, 64> w2{"w2"};
  parameter<T, 10> b2{"b2"};
  auto operator()(const auto& x) const { return linear(relu(linear(x, w1, b1)), w2, b2); }
};

template <dtype T>
auto readme() -> model {
  maker m(T);
  const readme_mlp<T> net;
  const input<T, koila::batch, 196> x{"x"};
  const input<int64, koila::batch> label{"label"};
  m.own(net);
  m.own(x, {196});
  m.own_classes(label, 10);
  const auto y = let(net(x));
  return m.finish("readme", y, cross_entropy(y, label));
}

}  // namespace models
