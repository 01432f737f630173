// SPDX-License-Identifier: MIT
// A residual network with batch norm (He et al. 2016) on digits. Batch norm uses the statistics of
// the whole batch, whatever the chunk size.
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>

#include <ATen/ATen.h>

#include <cstdio>

#include "data/digits.hpp"

using namespace koila;

namespace {

template <int In, int Out, int Stride>
struct block {
  nn::conv2d<In, Out, 3, nn::conv_options{.stride = Stride, .padding = 1, .bias = false}> conv1{"conv1"};
  nn::batch_norm<Out> bn1{"bn1"};
  nn::conv2d<Out, Out, 3, nn::conv_options{.padding = 1, .bias = false}> conv2{"conv2"};
  nn::batch_norm<Out> bn2{"bn2"};
  nn::conv2d<In, Out, 1, nn::conv_options{.stride = Stride, .bias = false}> shortcut{"shortcut"};

  auto operator()(const auto& input) const {
    const auto x = let(input);
    return relu(bn2(conv2(relu(bn1(conv1(x))))) + shortcut(x));
  }
};

struct resnet {
  nn::conv2d<1, 8, 3, nn::conv_options{.stride = 2, .padding = 1, .bias = false}> stem{"stem"};
  block<8, 16, 1> block1;
  block<16, 32, 2> block2;
  nn::linear<32, 10> head{"head"};

  auto operator()(const auto& pixels) const {
    const auto image = reshape(pixels, batch, 1_c, 28_c, 28_c);
    const auto features = block2(block1(relu(stem(image))));         // (batch, 32, 7, 7)
    return head(mean(features, list_of(2_c, 3_c)));                     // (batch, 10)
  }
};

}  // namespace

int main(int, char** argv) {
  const auto [train_digits, test_digits] = load_digits(argv[1]);
  constexpr std::int64_t size = 200;  // samples per minibatch

  at::manual_seed(1);
  resnet net;
  const input<batch, 784> x{"x"};
  const input<int64, batch> label{"label"};
  auto train = step(cross_entropy(net(x), label), sgd{.lr = 0.05, .momentum = 0.9}, {.chunk = 64});

  double mean_loss = 0;
  for (int epoch = 0; epoch < 7; ++epoch) {
    if (epoch == 5) train.optimizer.lr = 0.01;  // a lower rate lets the running statistics follow the weights
    mean_loss = 0;
    for (const auto& [images, labels] : minibatches(train_digits, size))
      mean_loss += train(x = images, label = labels).item<double>() * size / 4000;
    std::printf("epoch %d: loss %.3f, chunks of %ld\n", epoch, mean_loss, static_cast<long>(train.plan().chunk()));
  }
  set_training(net, false);  // from here on, batch norm uses the running statistics
  const at::Tensor guess = run(net(x), x = test_digits.images).argmax(1);  // (1000)
  const double right = guess.eq(test_digits.labels).sum().item<double>() / 1000;
  std::printf("%.1f %% of the test digits right\n", 100 * right);
  return mean_loss < 0.3 && right > 0.9 ? 0 : 1;
}
