// SPDX-License-Identifier: MIT
// An LSTM that reads digits row by row.
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>

#include <ATen/ATen.h>

#include <cstdio>

#include "data/digits.hpp"

using namespace koila;

namespace {

struct reader {
  nn::lstm<28, 64> cells{"cells"};
  nn::linear<64, 10> head{"head"};

  auto operator()(const auto& pixels) const {
    const auto rows = reshape(pixels, batch, 28_c, 28_c);  // each row is a time step
    const auto [all, h, c] = cells(transpose(rows, 0_c, 1_c));  // (28, batch, 64), (1, batch, 64), (1, batch, 64)
    return head(select(h, 0_c, 0_c));                           // (batch, 10)
  }
};

}  // namespace

int main(int, char** argv) {
  const auto [train_digits, test_digits] = load_digits(argv[1]);
  constexpr std::int64_t size = 100;  // samples per minibatch

  at::manual_seed(1);
  const reader net;
  const input<batch, 784> x{"x"};
  const input<int64, batch> label{"label"};
  auto train = step(cross_entropy(net(x), label), clip_grad_norm(adam{.lr = 5e-3}, 1.0), {.memory = 64_MiB});

  double mean_loss = 0;
  for (int epoch = 0; epoch < 4; ++epoch) {
    mean_loss = 0;
    for (const auto& [images, labels] : minibatches(train_digits, size))
      mean_loss += train(x = images, label = labels).item<double>() * size / 4000;
    std::printf("epoch %d: loss %.3f\n", epoch, mean_loss);
  }
  const at::Tensor guess = run(net(x), x = test_digits.images).argmax(1);  // (1000)
  const double right = guess.eq(test_digits.labels).sum().item<double>() / 1000;
  std::printf("%.1f %% of the test digits right\n", 100 * right);
  return mean_loss < 0.5 && right > 0.85 ? 0 : 1;
}
