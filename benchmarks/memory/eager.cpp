// SPDX-License-Identifier: MIT
#include "memory/eager.hpp"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstdio>

#include "memory/passes.hpp"
#include "models/pairs.hpp"

namespace memory {

using namespace koila::detail;

namespace {

using models::pair, models::taker;

constexpr double lr = 1e-3;

/// The peak in bytes, and the median of the times in seconds.
struct cost {
  index_t peak = 0;
  double seconds = 0;
};
auto median(std::vector<double> all) -> double {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

/// Runs one training step in LibTorch (forward, backward, SGD) and returns its time in seconds.
auto eager_step(const pair& p, const bound_tensors& inputs, std::vector<at::Tensor>& parameters) -> double {
  const double start = seconds_of_thread();
  taker take(parameters);
  p.eager(take, inputs).backward();
  const c10::AutoGradMode without(false);
  for (at::Tensor& w : parameters) {
    w.add_(w.grad(), -lr);
    w.mutable_grad() = at::Tensor();
  }
  return seconds_of_thread() - start;
}

void compare(const pair& p) {
  const bound_tensors given = p.koila.bind(p.batch, 1);
  const binding<at::Tensor> x{p.koila.inputs[0].leaf, given[0].tensor}, label{p.koila.inputs[1].leaf, given[1].tensor};
  std::vector<at::Tensor> copies;
  for (const auto& leaf : p.koila.parameters) copies.push_back(tensor_of(*leaf).detach().clone().requires_grad_());
  cost eager;
  {
    const bench::measure m;
    (void)eager_step(p, given, copies);
    eager.peak = m.peak();
  }
  constexpr int times = 5;
  for (const double part : {1.0, 0.5, 0.25, 0.125}) {
    const auto budget = static_cast<index_t>(part * static_cast<double>(eager.peak));
    try {
      auto train = step(p.koila.loss, sgd{.lr = lr}, {.memory = budget});
      const bench::measure m;
      (void)train(x, label);
      std::vector<double> own, eagers;
      for (int i = 0; i < times; ++i) {  // alternates between both, because the machine may be busy with other work
        eagers.push_back(eager_step(p, given, copies));
        const double start = seconds_of_thread();
        (void)train(x, label);
        own.push_back(seconds_of_thread() - start);
      }
      std::printf(
          "%-7s batch %3lld: eager %6.1f MB %6.3f s; koila with %5.3f of that allowed %6.1f MB %6.3f s, %.2f x the time, chunk %lld, %d loops\n",
          p.koila.name.c_str(), static_cast<long long>(p.batch), static_cast<double>(eager.peak) / 1e6, median(eagers),
          part, static_cast<double>(train.plan().peak_bytes()) / 1e6, median(own), median(own) / median(eagers),
          static_cast<long long>(train.plan().chunk()), train.plan().order.loops);
    } catch (const memory_error& e) {
      std::printf("%-7s batch %3lld: eager %6.1f MB; koila with %5.3f of that: %s\n", p.koila.name.c_str(),
                  static_cast<long long>(p.batch), static_cast<double>(eager.peak) / 1e6, part, e.what());
    }
    std::fflush(stdout);
  }
}

}  // namespace

void compare_with_eager(const std::string& filter) {
  for (const auto& make : {models::pairs::gpt, models::pairs::unet, models::pairs::resnet})
    if (const pair p = make(); p.koila.name.find(filter) != std::string::npos) compare(p);
}

}  // namespace memory
