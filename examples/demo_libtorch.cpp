// SPDX-License-Identifier: MIT
// Trains a LibTorch program on real digits in less memory than the program needs. The program is
// libtorch/eager.hpp. libtorch/koila.hpp is the same program with one more line. An allocator
// refuses memory beyond the limit.
#include <torch/torch.h>

#include <koila/intercept/intercept.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "data/digits.hpp"
#include "data/limited_allocator.hpp"

namespace {

constexpr std::int64_t limit = 16 << 20;
// The optimiser takes memory, too: the program's options leave half of the limit for it.
koila::intercept_options koila_options{.memory = limit / 2};

namespace eager {
#include "libtorch/eager.hpp"
}
namespace intercepted {
#include "libtorch/koila.hpp"
}

/// Returns the number of lines that one of the two files has and the other does not have.
auto changed_lines() -> std::size_t {
  const auto lines = [](const char* name) {
    std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "libtorch" / name);
    std::multiset<std::string> all;
    for (std::string line; std::getline(file, line);) all.insert(line);
    return all;
  };
  const std::multiset<std::string> a = lines("eager.hpp"), b = lines("koila.hpp");
  std::multiset<std::string> changed;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(changed, changed.end()));
  return changed.size();
}

/// Returns the relative difference between the gradients of the whole batch: koila's, in chunks
/// under a limit, and LibTorch's, without a limit. Both are computed in dtype `type`. The network
/// has tanh instead of relu: in float32, rounding may change the sign of an operand of relu, which
/// changes its gradient.
auto gradient_error(const digits& d, torch::Dtype type) -> double {
  eager::Net net;
  net.to(type);
  const auto gradients = [&](const torch::Tensor& images, const torch::Tensor& labels) {
    net.zero_grad();
    const torch::Tensor loss = torch::nn::functional::cross_entropy(net.forward(images), labels);
    loss.backward();
    std::vector<torch::Tensor> all;
    for (const torch::Tensor& p : net.parameters()) all.push_back(p.grad().clone());
    return all;
  };
  const torch::Tensor images = d.images.to(type);
  const std::vector<torch::Tensor> want = gradients(images, d.labels);
  koila::intercept_options options = koila_options;
  if (type == torch::kDouble) options.memory *= 2;  // float64 values are twice as large
  const auto [x, y] = koila::intercept(options, images, d.labels);
  const std::vector<torch::Tensor> got = gradients(x, y);
  double error = 0;
  for (std::size_t i = 0; i < want.size(); ++i)
    error = std::max(error, (got[i] - want[i]).norm().item<double>() / want[i].norm().item<double>());
  return error;
}

template <class Net>
auto sgd(Net& net) -> torch::optim::SGD {
  return torch::optim::SGD(net.parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: demo_libtorch digits.csv\n"), 2;
  static limited_allocator allocator;
  c10::SetAllocator(c10::kCPU, &allocator, 1);
  const auto [training, test] = load_digits(argv[1]);
  std::printf("784-512-512-10, one batch of %lld digits, %lld bytes allowed besides inputs and parameters\n",
              static_cast<long long>(training.images.size(0)), static_cast<long long>(limit));

  bool refused = false;
  {
    eager::Net net;
    auto optimizer = sgd(net);
    allocator.watch(limit);
    try {
      eager::train(net, optimizer, training.images, training.labels);
    } catch (const c10::OutOfMemoryError& e) {
      refused = true;
      std::printf("eager LibTorch: %s\n", e.what_without_backtrace());
    }
    allocator.watch(-1);
  }
  if (!refused) return std::printf("libtorch: eager LibTorch fits in the limit, so nothing is shown\n"), 1;

  const double error = gradient_error(training, torch::kFloat), exact = gradient_error(training, torch::kDouble);
  torch::manual_seed(1);
  intercepted::Net net;
  auto optimizer = sgd(net);
  const koila::index_t chunk = [&] {
    const auto [x, y] = koila::intercept(koila_options, training.images, training.labels);
    const torch::Tensor loss = torch::nn::functional::cross_entropy(net.forward(x), y);
    return koila::plan(loss).chunk();
  }();
  allocator.watch(limit);
  for (int i = 0; i < 100; ++i) {
    const float loss = intercepted::train(net, optimizer, training.images, training.labels);
    if (i % 20 == 19) std::printf("step %d: loss %.4f\n", i + 1, static_cast<double>(loss));
  }
  const std::int64_t peak = limited_allocator::peak;
  allocator.watch(-1);
  const torch::NoGradGuard guard;
  const double accuracy = net.forward(test.images).argmax(1).eq(test.labels).to(torch::kDouble).mean().item<double>();
  const std::size_t changed = changed_lines();
  std::printf("gradient error in float64: %.1e\n", exact);
  std::printf(
      "libtorch: accuracy %.3f, peak %lld of %lld bytes allowed, chunk %lld, gradient error %.1e, lines changed %zu\n",
      accuracy, static_cast<long long>(peak), static_cast<long long>(limit), static_cast<long long>(chunk), error,
      changed);
  return peak <= limit && accuracy >= 0.92 && error <= 1e-5 && exact <= 1e-12 && changed == 1 ? 0 : 1;
}
