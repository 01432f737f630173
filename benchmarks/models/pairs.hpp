// SPDX-License-Identifier: MIT
#pragma once
// Models for koila with equivalent models for LibTorch, to compare their training steps.
#include "models/model.hpp"
#include "models/taker.hpp"

namespace models {

using namespace koila::detail;

/// A model with two inputs for koila, and a function that computes the same loss with LibTorch. The
/// function takes the parameters, in the order in which the model made them, and the inputs.
struct pair {
  model koila;
  std::function<at::Tensor(taker&, const bound_tensors&)> eager;
  index_t batch;  ///< samples of a step, unless a benchmark states another number
  bool mixes_samples = false;  ///< the batch's loss is not the weighted sum of its chunks' losses
};

namespace pairs {

/// Perceptrons 64-64-64-10 and 784-512-512-10, with relu and cross-entropy.
auto small_mlp() -> pair;
auto mlp() -> pair;
/// Returns a feed-forward block for samples of 128 rows: layer_norm, linear from 256 to 1024
/// features, gelu, linear from 1024 to 256 features, and a residual connection.
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
