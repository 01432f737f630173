#pragma once
// Models and the same in LibTorch: what koila's training steps are compared with.
#include "models/model.hpp"
#include "models/taker.hpp"

namespace models {

/// A model of two inputs and the same in LibTorch: the loss of parameters, in the order in which
/// the model made them, and inputs.
struct pair {
  model koila;
  std::function<at::Tensor(taker&, const bound_tensors&)> eager;
  index_t batch;  ///< samples of a step, where nothing else is said
  bool mixes_samples = false;  ///< LibTorch's loss of a part of the batch is not a part of its loss
};

namespace pairs {

/// 64-64-64-10 and 784-512-512-10, with relu and cross-entropy.
auto small_mlp() -> pair;
auto mlp() -> pair;
/// layer_norm, linear 256-1024, gelu, linear, and the input added; 128 rows a sample.
auto feed_forward() -> pair;
/// LeNet on images of 28 x 28.
auto lenet() -> pair;
/// A residual network of 9 convolutions with batch norm on images of 32 x 32.
auto resnet() -> pair;
/// An encoder and a decoder of convolutions on images of 64 x 64.
auto unet() -> pair;
/// Four transformer blocks of width 192, 128 characters a sample.
auto gpt() -> pair;
/// An LSTM of 128 that reads 28 rows of 28.
auto lstm() -> pair;

}  // namespace pairs

}  // namespace models
