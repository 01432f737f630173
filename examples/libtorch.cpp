// SPDX-License-Identifier: MIT
// A LibTorch program as LibTorch's own tutorial writes it: torch::nn modules, a data loader, an
// optimiser. Only one line, in the training loop, calls koila.
#include <torch/torch.h>

#include <koila/intercept/intercept.hpp>

#include <cstdio>

#include "data/digits.hpp"

struct Net : torch::nn::Module {
  Net() {
    conv1 = register_module("conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 10, /*kernel_size=*/5)));
    conv2 = register_module("conv2", torch::nn::Conv2d(torch::nn::Conv2dOptions(10, 20, /*kernel_size=*/5)));
    fc1 = register_module("fc1", torch::nn::Linear(320, 50));
    fc2 = register_module("fc2", torch::nn::Linear(50, 10));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(torch::max_pool2d(conv1->forward(x), 2));
    x = torch::relu(torch::max_pool2d(conv2->forward(x), 2));
    x = x.view({-1, 320});
    x = torch::relu(fc1->forward(x));
    x = torch::dropout(x, /*p=*/0.1, /*train=*/is_training());
    x = fc2->forward(x);
    return torch::log_softmax(x, /*dim=*/1);
  }
  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};

int main(int, char** argv) {
  const auto [train, test] = load_digits(argv[1]);
  torch::manual_seed(1);
  Net net;
  torch::optim::Adam optimizer(net.parameters(), torch::optim::AdamOptions(2e-3));
  auto data =
      torch::data::datasets::TensorDataset(torch::cat({train.images, train.labels.unsqueeze(1).to(torch::kFloat)}, 1));
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      data.map(torch::data::transforms::Stack<torch::data::TensorExample>()), /*batch_size=*/100);

  double mean_loss = 0;
  for (int epoch = 0; epoch < 5; ++epoch) {
    mean_loss = 0;
    net.train();
    for (auto& batch : *loader) {
      const torch::Tensor rows = batch.data;
      // The line that is koila's. Images and labels are plain LibTorch tensors before and after it.
      const auto [images, labels] = koila::intercept({.memory = 4 << 20}, rows.narrow(1, 0, 784), rows.select(1, 784));
      optimizer.zero_grad();
      const torch::Tensor loss = torch::nll_loss(net.forward(images.view({-1, 1, 28, 28})), labels.to(torch::kLong));
      loss.backward();
      optimizer.step();
      mean_loss += loss.item<double>() * static_cast<double>(rows.size(0)) / 4000;
    }
    std::printf("epoch %d: loss %.3f\n", epoch, mean_loss);
  }
  net.eval();
  const torch::NoGradGuard guard;
  const double right =
      net.forward(test.images.view({-1, 1, 28, 28})).argmax(1).eq(test.labels).sum().item<double>() / 1000;
  std::printf("%.1f %% of the test digits right\n", 100 * right);
  return mean_loss < 0.4 && right > 0.92 ? 0 : 1;
}
