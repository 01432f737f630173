// SPDX-License-Identifier: MIT
#pragma once
// examples/lenet.cpp: LeNet (LeCun et al. 1998), on smaller images.
#include <koila/nn/nn.hpp>

#include "models/maker.hpp"

namespace models {

template <dtype T>
struct lenet_layers {
  nn::conv2d<1, 6, 5, nn::conv_options{.padding = 2, .type = T}> c1{"c1"};
  nn::conv2d<6, 16, 5, nn::conv_options{.type = T}> c2{"c2"};
  nn::linear<64, 32, nn::linear_options{.type = T}> f1{"f1"};
  nn::linear<32, 24, nn::linear_options{.type = T}> f2{"f2"};
  nn::linear<24, 10, nn::linear_options{.type = T}> f3{"f3"};

  auto operator()(const auto& pixels) const {
    const auto image = reshape(pixels, koila::batch, 1_c, 16_c, 16_c);
    const auto a = max_pool2d(relu(c1(image)), 2_c);        // (batch, 6, 8, 8)
    const auto b = max_pool2d(relu(c2(a)), 2_c);            // (batch, 16, 2, 2)
    return f3(relu(f2(relu(f1(koila::flatten(b, 1_c))))));  // (batch, 10)
  }
};

template <dtype T>
auto lenet() -> model {
  maker m(T);
  const lenet_layers<T> net;
  const input<T, koila::batch, 256> x{"x"};
  const input<int64, koila::batch> label{"label"};
  m.own(net);
  m.own(x, {256});
  m.own_classes(label, 10);
  const auto y = let(net(x));
  return m.finish("lenet", y, cross_entropy(y, label));
}

}  // namespace models
