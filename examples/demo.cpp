// SPDX-License-Identifier: MIT
// Trains on real digits in less memory than plain LibTorch needs for the same step. An allocator
// refuses memory beyond the limit.
#include <koila/koila.hpp>
#include <koila/tools/progress.hpp>

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdio>

#include "data/digits.hpp"
#include "data/limited_allocator.hpp"

using namespace koila;

namespace {

template <dtype T>
struct network {
  parameter<T, 512, 784> w1{"w1"};
  parameter<T, 512> b1{"b1"};
  parameter<T, 512, 512> w2{"w2"};
  parameter<T, 512> b2{"b2"};
  parameter<T, 10, 512> w3{"w3"};
  parameter<T, 10> b3{"b3"};
  auto operator()(const auto& x) const {
    return linear(relu(linear(relu(linear(x, w1, b1)), w2, b2)), w3, b3);  // (batch, 10)
  }
};

template <dtype T>
auto weights(const network<T>& net) -> std::vector<at::Tensor> {
  return {tensor_of(net.w1), tensor_of(net.b1), tensor_of(net.w2),
          tensor_of(net.b2), tensor_of(net.w3), tensor_of(net.b3)};
}

/// Computes the loss of `network` with LibTorch alone. A call of `backward` on the loss stores the
/// gradients in the tensors of `w`.
auto eager_loss(const std::vector<at::Tensor>& w, const digits& d) -> at::Tensor {
  at::Tensor h = at::relu(at::linear(d.images.to(w[0].scalar_type()), w[0], w[1]));
  return at::cross_entropy_loss(at::linear(at::relu(at::linear(h, w[2], w[3])), w[4], w[5]), d.labels);
}

/// Returns the relative difference between two gradients of the whole batch: koila's, computed in
/// chunks under a memory limit, and LibTorch's, without a limit. Both are float64. In float32,
/// rounding may change the sign of an operand of relu that is close to 0. The gradients then differ
/// by 1e-4, even if this happens to only one of two million values.
auto gradient_error(const digits& d, index_t limit) -> double {
  const network<float64> net;
  const input<float64, batch, 784> x{"x"};
  const input<int64, batch> label{"label"};
  std::vector<at::Tensor> eager;
  for (const auto& w : weights(net)) eager.push_back(w.detach().clone().requires_grad_());
  eager_loss(eager, d).backward();
  const at::Tensor images = d.images.to(at::kDouble);
  limited_allocator::watch(2 * limit);  // float64 values are twice as large
  backward(cross_entropy(net(x), label), {.memory = 2 * limit}, x = images, label = d.labels);
  limited_allocator::watch(-1);
  double error = 0;
  for (std::size_t i = 0; i < eager.size(); ++i) {
    const at::Tensor g = eager[i].grad();
    error = std::max(error, (weights(net)[i].grad() - g).norm().item<double>() / g.norm().item<double>());
  }
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: demo digits.csv\n"), 2;
  static limited_allocator allocator;
  c10::SetAllocator(c10::kCPU, &allocator, 1);
  constexpr index_t limit = 16_MiB;
  constexpr int steps = 120;

  const auto [training, test] = load_digits(argv[1]);
  at::manual_seed(1);
  const network<float32> net;
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  std::printf("784-512-512-10, one batch of %lld digits, %lld bytes allowed besides inputs and parameters\n",
              static_cast<long long>(training.images.size(0)), static_cast<long long>(limit));

  // Plain LibTorch runs the same step under the same limit.
  std::vector<at::Tensor> eager;
  for (const auto& w : weights(net)) eager.push_back(w.detach().requires_grad_());
  bool refused = false;
  allocator.watch(limit);
  try {
    eager_loss(eager, training).backward();
  } catch (const c10::OutOfMemoryError& e) {
    refused = true;
    std::printf("eager LibTorch: %s\n", e.what_without_backtrace());
  }
  allocator.watch(-1);
  if (!refused) return std::printf("demo: eager LibTorch fits in the limit, so nothing is shown\n"), 1;

  eager.clear();
  const double error = gradient_error(training, limit);

  auto train = step(loss, sgd{.lr = 0.1, .momentum = 0.9}, {.memory = limit});
  {
    progress bar("train", steps);
    allocator.watch(limit);
    for (int i = 0; i < steps; ++i) {
      const float value = train(x = training.images, label = training.labels).item<float>();
      char note[64];
      std::snprintf(note, sizeof note, "loss %.4f", static_cast<double>(value));
      bar.step(note);
    }
  }
  const auto peak = limited_allocator::peak;
  allocator.watch(-1);
  const at::Tensor guess = run(net(x), x = test.images).argmax(1);  // (1000)
  const double accuracy = guess.eq(test.labels).to(at::kDouble).mean().item<double>();
  const bool good = peak <= limit && accuracy >= 0.92 && error < 1e-12;
  std::printf("demo: accuracy %.3f, peak %lld of %lld bytes allowed, chunk %lld, gradient error %.1e\n", accuracy,
              static_cast<long long>(peak), static_cast<long long>(limit), static_cast<long long>(train.plan().chunk()),
              error);
  return good ? 0 : 1;
}
