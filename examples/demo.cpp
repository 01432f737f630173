// Trains on real digits in less memory than plain LibTorch needs for the same step: an allocator refuses beyond the limit.
#include <koila/koila.hpp>
#include <koila/tools/progress.hpp>

#include <ATen/ATen.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <cstdio>

#include "data/digits.hpp"

using namespace koila;

namespace {

/// LibTorch's own allocator behind a limit on the bytes alive since `watch`.
struct limited_allocator final : c10::Allocator {
  c10::Allocator* behind = c10::GetDefaultCPUAllocator();
  static inline std::int64_t alive = 0, peak = 0, limit = -1;

  void watch(std::int64_t bytes) const { alive = peak = 0, limit = bytes; }

  auto allocate(std::size_t n) -> c10::DataPtr override {
    const auto bytes = static_cast<std::int64_t>(n);
    TORCH_CHECK_WITH(OutOfMemoryError, limit < 0 || alive + bytes <= limit, "out of memory: ", alive, " + ", bytes,
                     " bytes of ", limit);
    c10::DataPtr p = behind->allocate(n);
    alive += bytes;
    peak = std::max(peak, alive);
    struct block {
      c10::DataPtr inner;
      std::int64_t bytes;
    };
    void* data = p.get();
    const auto device = p.device();
    return {data, new block{std::move(p), bytes},
            [](void* b) { alive -= static_cast<block*>(b)->bytes, delete static_cast<block*>(b); }, device};
  }
  auto raw_deleter() const -> c10::DeleterFnPtr override { return nullptr; }
  void copy_data(void* to, const void* from, std::size_t n) const override { behind->copy_data(to, from, n); }
};

struct network {
  parameter<512, 784> w1{"w1"};
  parameter<512> b1{"b1"};
  parameter<512, 512> w2{"w2"};
  parameter<512> b2{"b2"};
  parameter<10, 512> w3{"w3"};
  parameter<10> b3{"b3"};
  auto operator()(const auto& x) const {
    return linear(relu(linear(relu(linear(x, w1, b1)), w2, b2)), w3, b3);  // (batch, 10)
  }
};

auto weights(const network& net) -> std::vector<at::Tensor> {
  return {tensor_of(net.w1), tensor_of(net.b1), tensor_of(net.w2), tensor_of(net.b2), tensor_of(net.w3), tensor_of(net.b3)};
}

/// The same loss by LibTorch alone; its autograd leaves the gradients in `w`.
auto eager_loss(const std::vector<at::Tensor>& w, const digits& d) -> at::Tensor {
  at::Tensor h = at::relu(at::linear(d.images, w[0], w[1]));
  return at::cross_entropy_loss(at::linear(at::relu(at::linear(h, w[2], w[3])), w[4], w[5]), d.labels);
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
  network net;
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(net(x), label);
  std::printf("784-512-512-10, one batch of %lld digits, %lld bytes allowed besides inputs and parameters\n",
              static_cast<long long>(training.images.size(0)), static_cast<long long>(limit));

  // Plain LibTorch, the same step under the same limit.
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

  // The gradient of the whole batch, in chunks under the limit, against autograd without a limit.
  for (auto& w : eager) w.mutable_grad().reset();
  eager_loss(eager, training).backward();
  allocator.watch(limit);
  backward(loss, {.memory = limit}, x = training.images, label = training.labels);
  allocator.watch(-1);
  double error = 0;
  for (std::size_t i = 0; i < eager.size(); ++i) {
    at::Tensor w = weights(net)[i];
    error = std::max(error, (w.grad() - eager[i].grad()).norm().item<double>() / eager[i].grad().norm().item<double>());
    w.mutable_grad().reset();
  }
  eager.clear();

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
  const bool good = peak <= limit && accuracy >= 0.92 && error < 1e-5;
  std::printf("demo: accuracy %.3f, peak %lld of %lld bytes allowed, chunk %lld, gradient error %.1e\n", accuracy,
              static_cast<long long>(peak), static_cast<long long>(limit), static_cast<long long>(train.plan().chunk()), error);
  return good ? 0 : 1;
}
