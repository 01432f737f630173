// SPDX-License-Identifier: MIT
// The program of README.md: a network trained on digits.
#include <koila/koila.hpp>

#include <cstdio>
#include <iostream>

#include "data/digits.hpp"

using namespace koila;

struct mlp {
  parameter<512, 784> w1{"w1"};
  parameter<512> b1{"b1"};
  parameter<10, 512> w2{"w2"};
  parameter<10> b2{"b2"};
  auto operator()(const auto& x) const { return linear(relu(linear(x, w1, b1)), w2, b2); }
};

int main(int, char** argv) {
  auto [train_digits, test_digits] = load_digits(argv[1]);

  mlp net;
  input<batch, 784> x{"x"};                  // float32; `batch` is an axis known at run time
  input<int64, batch> label{"label"};
  auto loss = cross_entropy(net(x), label);  // a type: nothing has run
  auto train = step(loss, sgd{.lr = 0.5}, {.memory = 16_MiB});

  for (int epoch = 0; epoch < 20; ++epoch) {
    at::Tensor value = train(x = train_digits.images, label = train_digits.labels);
    if (epoch % 5 == 4) std::printf("loss %.3f\n", value.item<float>());
  }
  at::Tensor guess = run(net(x), x = test_digits.images).argmax(1);  // (1000)
  std::printf("%.0f of 1000 test digits right\n", guess.eq(test_digits.labels).sum().item<double>());
  train.plan().explain(std::cout);
}
