// SPDX-License-Identifier: MIT
// LeNet (LeCun et al. 1998) on digits: convolutions, pooling, minibatches.
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>

#include <ATen/ATen.h>

#include <cstdio>

#include "data/digits.hpp"

using namespace koila;

namespace {

struct lenet {
  nn::conv2d<1, 6, 5, nn::conv_options{.padding = 2}> c1{"c1"};
  nn::conv2d<6, 16, 5> c2{"c2"};
  nn::linear<400, 120> f1{"f1"};
  nn::linear<120, 84> f2{"f2"};
  nn::linear<84, 10> f3{"f3"};

  auto operator()(const auto& pixels) const {
    const auto image = reshape(pixels, batch, 1_c, 28_c, 28_c);
    const auto a = max_pool2d(relu(c1(image)), 2_c);  // (batch, 6, 14, 14)
    const auto b = max_pool2d(relu(c2(a)), 2_c);      // (batch, 16, 5, 5)
    return f3(relu(f2(relu(f1(flatten(b, 1_c))))));   // (batch, 10)
  }
};

}  // namespace

int main(int, char** argv) {
  const auto [train_digits, test_digits] = load_digits(argv[1]);
  constexpr std::int64_t size = 100;  // samples per minibatch

  at::manual_seed(1);
  const lenet net;
  const input<batch, 784> x{"x"};
  const input<int64, batch> label{"label"};
  auto train = step(cross_entropy(net(x), label), adam{.lr = 2e-3}, {.memory = 64_MiB});

  double mean_loss = 0;
  for (int epoch = 0; epoch < 5; ++epoch) {
    mean_loss = 0;
    for (const auto& [images, labels] : minibatches(train_digits, size))
      mean_loss += train(x = images, label = labels).item<double>() * size / 4000;
    std::printf("epoch %d: loss %.3f\n", epoch, mean_loss);
  }
  const at::Tensor guess = run(net(x), x = test_digits.images).argmax(1);  // (1000)
  const double right = guess.eq(test_digits.labels).sum().item<double>() / 1000;
  std::printf("%zu parameters, %.1f %% of the test digits right\n", named_parameters(net).size(), 100 * right);
  return mean_loss < 0.25 && right > 0.93 ? 0 : 1;
}
