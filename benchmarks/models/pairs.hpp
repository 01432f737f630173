// SPDX-License-Identifier: MIT
#pragma once
// Models with the same model in LibTorch, with which koila's training steps are compared.
#include "models/model.hpp"
#include "models/taker.hpp"

namespace models {

using namespace koila::detail;

/// A model with two inputs, and the same in LibTorch: a function that returns the loss for
/// parameters, in the order in which the model made them, and for inputs.
struct pair {
  model koila;
  std::function<at::Tensor(taker&, const bound_tensors&)> eager;
  index_t batch;  ///< samples of a step, unless stated otherwise
  bool mixes_samples = false;  ///< the loss of a part of the batch is not a part of the loss
};

namespace pairs {

/// Perceptrons 64-64-64-10 and 784-512-512-10, with relu and cross-entropy.
auto small_mlp() -> pair;
auto mlp() -> pair;
/// layer_norm, linear 256-1024, gelu, linear, and the input added; 128 rows per sample.
auto feed_forward() -> pair;
/// LeNet on images of 28 x 28.
auto lenet() -> pair;
/// A residual network of 9 convolutions with batch norm on images of 32 x 32.
auto resnet() -> pair;
/// An encoder and a decoder of convolutions on images of 64 x 64.
auto unet() -> pair;
/// Four transformer blocks of width 192, 128 characters per sample.
auto gpt() -> pair;
/// An LSTM of width 128 that reads 28 rows of 28 pixels.
auto lstm() -> pair;

}  // namespace pairs

}  // namespace models
