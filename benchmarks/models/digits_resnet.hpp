// SPDX-License-Identifier: MIT
#pragma once
// examples/resnet.cpp: a residual network with batch norm (He et al. 2016), on smaller images.
#include <koila/nn/nn.hpp>

#include "models/maker.hpp"

namespace models {

template <dtype T, int In, int Out, int Stride>
struct digits_block {
  nn::conv2d<In, Out, 3, nn::conv_options{.stride = Stride, .padding = 1, .bias = false, .type = T}> conv1{"conv1"};
  nn::batch_norm<Out, nn::norm_options{.type = T}> bn1{"bn1"};
  nn::conv2d<Out, Out, 3, nn::conv_options{.padding = 1, .bias = false, .type = T}> conv2{"conv2"};
  nn::batch_norm<Out, nn::norm_options{.type = T}> bn2{"bn2"};
  nn::conv2d<In, Out, 1, nn::conv_options{.stride = Stride, .bias = false, .type = T}> shortcut{"shortcut"};

  auto operator()(const auto& input) const {
    const auto x = let(input);
    return relu(bn2(conv2(relu(bn1(conv1(x))))) + shortcut(x));
  }
};

template <dtype T>
struct digits_layers {
  nn::conv2d<1, 8, 3, nn::conv_options{.stride = 2, .padding = 1, .bias = false, .type = T}> stem{"stem"};
  digits_block<T, 8, 12, 1> block1;
  digits_block<T, 12, 16, 2> block2;
  nn::linear<16, 10, nn::linear_options{.type = T}> head{"head"};

  auto operator()(const auto& pixels) const {
    const auto image = reshape(pixels, koila::batch, 1_c, 16_c, 16_c);
    const auto features = block2(block1(relu(stem(image))));  // (batch, 16, 4, 4)
    return head(mean(features, list_of(2_c, 3_c)));              // (batch, 10)
  }
};

template <dtype T>
auto digits_resnet() -> model {
  maker m(T);
  const digits_layers<T> net;
  const input<T, koila::batch, 256> x{"x"};
  const input<int64, koila::batch> label{"label"};
  m.own(net);
  m.own(x, {256});
  m.own_classes(label, 10);
  const auto y = let(net(x));
  model out = m.finish("digits_resnet", y, cross_entropy(y, label));
  out.deep_norm = true;
  return out;
}

}  // namespace models
