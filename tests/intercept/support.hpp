// SPDX-License-Identifier: MIT
#pragma once
// Runs a LibTorch program as it stands and with intercepted inputs, and compares the two.
#include <torch/torch.h>

#include <koila/intercept/intercept.hpp>
#include <koila/run/plan_cache.hpp>

#include "catch.hpp"

#include <functional>
#include <string>
#include <vector>

namespace intercept_test {

namespace F = torch::nn::functional;
using at::Tensor;
using namespace torch::nn;

/// Tensors are float64 while this object exists.
struct in_float64 {
  in_float64() { torch::set_default_dtype(caffe2::TypeMeta::Make<double>()), torch::manual_seed(1); }
  ~in_float64() { torch::set_default_dtype(caffe2::TypeMeta::Make<float>()); }
  in_float64(const in_float64&) = delete;
  auto operator=(const in_float64&) -> in_float64& = delete;
};

inline auto copies(const std::vector<Tensor>& all) -> std::vector<Tensor> {
  std::vector<Tensor> out;
  for (const Tensor& t : all) out.push_back(t.defined() ? t.detach().clone() : Tensor());
  return out;
}

/// Returns the largest difference, relative to the largest element of `want` or to 1e-3 if that is
/// larger. Returns infinity if only one is defined, or if the shapes differ.
inline auto difference(const Tensor& got, const Tensor& want) -> double {
  if (got.defined() != want.defined()) return INFINITY;
  if (!got.defined() || want.numel() == 0) return 0;
  if (got.sizes() != want.sizes() || got.scalar_type() != want.scalar_type()) return INFINITY;
  const Tensor a = got.detach().to(torch::kDouble), b = want.detach().to(torch::kDouble);
  return (a - b).abs().max().item<double>() / std::max(b.abs().max().item<double>(), 1e-3);
}
inline auto difference(const std::vector<Tensor>& got, const std::vector<Tensor>& want) -> double {
  double worst = got.size() == want.size() ? 0 : INFINITY;
  for (std::size_t k = 0; k < std::min(got.size(), want.size()); ++k)
    worst = std::max(worst, difference(got[k], want[k]));
  return worst;
}

inline auto gradients(const Module& net) -> std::vector<Tensor> {
  std::vector<Tensor> out;
  for (const Tensor& p : net.parameters()) out.push_back(p.grad());
  return copies(out);
}

/// A program: from a network and a batch to a value of the loss and an output.
template <class Net>
using program = std::function<std::pair<Tensor, Tensor>(Net&, const Tensor&, const Tensor&)>;

/// Checks gradients, loss, output and running statistics of a network, for several chunk sizes. The
/// whole program must be lazy until `backward`.
template <class Net, class Program>
void check(Net net, const Tensor& x, const Tensor& y, const Program& run, double tolerance = 1e-12) {
  const std::vector<Tensor> buffers = net->buffers(), before = copies(buffers);
  const auto reset = [&] {
    const torch::NoGradGuard guard;
    for (std::size_t k = 0; k < buffers.size(); ++k) buffers[k].copy_(before[k]);
    net->zero_grad();
  };
  const auto [loss, output] = run(net, x, y);
  loss.backward();
  const std::vector<Tensor> want = gradients(*net), statistics = copies(buffers);
  for (const std::int64_t chunk : {std::int64_t{1}, std::int64_t{3}, x.size(0)}) {
    CAPTURE(chunk);
    reset();
    const auto [a, b] = koila::intercept({.chunk = chunk, .strict = true}, x, y);
    const auto [lazy_loss, lazy_output] = run(net, a, b);
    CHECK(koila::is_lazy(lazy_loss));
    lazy_loss.backward();
    CHECK(difference(gradients(*net), want) <= tolerance);
    CHECK(difference(lazy_loss, loss) <= tolerance);
    CHECK(difference(lazy_output, output) <= tolerance);
    CHECK(difference(copies(buffers), statistics) <= tolerance);
  }
  reset();
}

}  // namespace intercept_test
