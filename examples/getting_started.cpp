// SPDX-License-Identifier: MIT
// The getting-started example of the Python koila: one input, a 28*28-512-512-10 network, a loss,
// and backward. The program runs it lazily with koila and eagerly with LibTorch.
#include <torch/torch.h>

#include <koila/koila.hpp>

#include <cstdio>

using koila::backward, koila::batch, koila::cross_entropy, koila::flatten, koila::lazy, koila::linear, koila::parameter,
    koila::relu;
using namespace koila::hana::literals;

struct network {
  parameter<512, 28 * 28> w1{"w1"};
  parameter<512> b1{"b1"};
  parameter<512, 512> w2{"w2"};
  parameter<512> b2{"b2"};
  parameter<10, 512> w3{"w3"};
  parameter<10> b3{"b3"};

  auto operator()(const auto& images) const {
    auto x = flatten(images, 1_c);      // (batch, 784)
    auto h = relu(linear(x, w1, b1));   // (batch, 512)
    auto g = relu(linear(h, w2, b2));   // (batch, 512)
    return linear(g, w3, b3);           // (batch, 10)
  }
};

int main() {
  torch::manual_seed(0);
  at::Tensor images = torch::randn({8, 28, 28}), labels = torch::randint(10, {8});
  network net;

  // Lazy: computes nothing before `backward`, which uses at most 16 MiB.
  auto [x, y] = lazy<batch>(images, labels);
  at::Tensor loss = backward(cross_entropy(net(x), y), {.memory = koila::operator""_MiB(16)});

  // Eager: LibTorch's autograd.
  const auto w = [](const auto& p) { return tensor_of(p).detach().requires_grad_(); };
  at::Tensor w1 = w(net.w1), b1 = w(net.b1), w2 = w(net.w2), b2 = w(net.b2), w3 = w(net.w3), b3 = w(net.b3);
  at::Tensor h = torch::relu(torch::linear(images.flatten(1), w1, b1));
  at::Tensor out = torch::linear(torch::relu(torch::linear(h, w2, b2)), w3, b3);
  at::Tensor eager = torch::nn::functional::cross_entropy(out, labels);
  eager.backward();

  const double error = (tensor_of(net.w1).grad() - w1.grad()).norm().item<double>() / w1.grad().norm().item<double>();
  std::printf("loss %.6f lazily, %.6f eagerly; gradients differ by %.1e\n", loss.item<float>(), eager.item<float>(),
              error);
  return error < 1e-6 ? 0 : 1;
}
