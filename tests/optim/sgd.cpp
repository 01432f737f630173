// SPDX-License-Identifier: MIT
// sgd computes the same bits as LibTorch's formula, and parameters have LibTorch's initial values.
#include "run/support.hpp"

#include <koila/ops/common/instructions.ipp>

using namespace koila;
using namespace ::test;

namespace {

/// The algorithm of torch/csrc/api/src/optim/sgd.cpp, written with at:: functions.
struct reference {
  sgd o;
  std::vector<at::Tensor> buffers;
  void step(std::vector<at::Tensor>& p, const std::vector<at::Tensor>& g) {
    buffers.resize(p.size());
    for (std::size_t k = 0; k < p.size(); ++k) {
      at::Tensor d = g[k];
      if (o.weight_decay != 0) d = d.add(p[k], o.weight_decay);
      if (o.momentum != 0) {
        if (!buffers[k].defined()) buffers[k] = d.clone();
        else buffers[k].mul_(o.momentum).add_(d, 1 - o.dampening);
        d = o.nesterov ? d.add(buffers[k], o.momentum) : buffers[k];
      }
      p[k].add_(d, -o.lr);
    }
  }
};

/// LibTorch's kernels use fused multiply-adds if the machine has them, and so do koila's kernels.
/// If koila's kernels are limited to baseline instructions, the last bits differ.
void check_same(const at::Tensor& ours, const at::Tensor& theirs) {
  if (koila::detail::instructions_to_use() != koila::detail::instructions::baseline) CHECK(identical(ours, theirs));
  else CHECK(at::allclose(ours, theirs, ours.scalar_type() == at::kFloat ? 1e-5 : 1e-13, 1e-6));
}

template <dtype T>
void check(const sgd& o) {
  classifier<T, 20, 16, 10> net;
  input<T, batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  const at::Tensor images = at::randn({13, 20}, scalar_type(T)), labels = labels_of(13, 10);  // (13, 20), (13)
  const auto loss = cross_entropy(net(x), label);
  (void)plan(loss, x = images, label = labels);
  std::vector<at::Tensor> p;
  for (const auto& t : net.tensors()) p.push_back(t.detach().clone());
  reference theirs{o, {}};
  auto train = step(loss, o, {.chunk = 4});
  for (int i = 0; i < 5; ++i) {
    if (i == 2) train.optimizer.lr = theirs.o.lr = o.lr / 2;  // settings may change between steps
    if (i == 3) train.optimizer.momentum = theirs.o.momentum = 0.5;
    for (const auto& t : net.tensors()) t.mutable_grad() = at::Tensor();
    backward(loss, {.chunk = 4}, x = images, label = labels);
    std::vector<at::Tensor> g;
    for (const auto& t : net.tensors()) g.push_back(t.grad());
    train(x = images, label = labels);
    theirs.step(p, g);
    for (std::size_t k = 0; k < p.size(); ++k) check_same(net.tensors()[k], p[k]);
  }
}

}  // namespace

TEST_CASE("sgd is LibTorch's formula, bit for bit") {
  at::manual_seed(3);
  for (const double momentum : {0.0, 0.9})
    for (const double dampening : {0.0, 0.3})
      for (const double weight_decay : {0.0, 0.01})
        for (const bool nesterov : {false, true}) {
          if (nesterov && (momentum == 0 || dampening != 0)) continue;  // LibTorch has the same requirement
          CAPTURE(momentum, dampening, weight_decay, nesterov);
          const sgd o{.lr = 0.1,
                      .momentum = momentum,
                      .dampening = dampening,
                      .weight_decay = weight_decay,
                      .nesterov = nesterov};
          check<float32>(o);
          check<float64>(o);
        }
}

TEST_CASE("sgd is LibTorch's formula whatever the strides, bit for bit, and in 16 bits to a rounding each step") {
  at::manual_seed(4);
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16})
    for (const bool is_permuted : {false, true})
      for (const sgd& o : {sgd{.lr = 0.1}, sgd{.lr = 0.1, .weight_decay = 0.01}, sgd{.lr = 0.1, .momentum = 0.9},
                           sgd{.lr = 0.1, .momentum = 0.9, .dampening = 0.3, .weight_decay = 0.01},
                           sgd{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true}}) {
        CAPTURE(type, is_permuted, o.momentum, o.weight_decay);
        const bool is_short = type == at::kHalf || type == at::kBFloat16;
        const at::Tensor p = at::randn({5, 7, 3, 19}, type);
        const at::Tensor g = at::randn({5, 7, 19, 3}, type).transpose(2, 3);  // (5, 7, 3, 19)
        const at::Tensor own = is_permuted ? p.permute({2, 0, 1, 3}).contiguous().permute({1, 2, 0, 3}) : p.clone();
        std::vector<at::Tensor> all{is_short ? p.to(at::kFloat) : p};
        reference theirs{o, {}};
        auto state = o.state_for(own);
        for (int i = 0; i < 3; ++i) {
          theirs.step(all, {is_short ? g.to(at::kFloat) : g});
          o.update(own, g, state);
        }
        if (!is_short) {
          check_same(own.contiguous(), p);
          continue;
        }
        // Each of the three steps rounds the parameter once and the momentum once. Each rounding
        // changes a value by at most half of `spacing * most`.
        const double most = std::max(all[0].abs().max().item<double>(), 1.0) + 2;
        const double spacing = type == at::kHalf ? 0x1p-10 : 0x1p-7;
        CHECK((own.to(at::kFloat) - all[0]).abs().max().item<double>() <= 3 * spacing * most);
        CHECK((own.to(at::kFloat) - all[0]).abs().mean().item<double>() <= spacing);
      }
}

TEST_CASE("a step counts as a change to autograd, and keeps the parameter where it is") {
  parameter<20> w{"w"};
  input<batch, 20> x{"x"};
  const at::Tensor images = at::randn({3, 20});
  auto train = step(mean(x * w), sgd{.lr = 0.1});
  train(x = images);
  const at::Tensor t = tensor_of(w);
  const auto version = t._version();
  const void* where = t.data_ptr();
  train(x = images);
  CHECK(t._version() > version);
  CHECK(tensor_of(w).data_ptr() == where);
  CHECK(t.requires_grad());
  CHECK(t.is_leaf());
  // The values that set() stores are the starting point of the next step, which trains them in
  // place.
  const at::Tensor fresh = at::ones({20});
  set(w, fresh);
  train(x = images);
  CHECK(at::allclose(fresh, 1 - 0.1 * images.mean(0) / 20));
}

TEST_CASE("parameters begin as LibTorch's layers do") {
  const auto make = [](std::uint64_t seed) {
    at::manual_seed(seed);
    parameter<200, 100> w{"w"};
    parameter<200> b{"b"};
    parameter<8, 4, 5, 5> kernel{"kernel"};
    input<batch, 100> x{"x"};
    (void)plan(linear(x, w, b), x = at::zeros({1, 100}));
    return std::tuple(tensor_of(w).detach(), tensor_of(b).detach(), tensor_of(kernel).detach());
  };
  const auto [w, b, kernel] = make(1);
  const auto uniform = [](const at::Tensor& t, double bound, double sure) {
    CHECK(t.abs().max().item<double>() <= bound);
    CHECK(t.abs().max().item<double>() > bound * 0.95);
    CHECK(std::abs(t.mean().item<double>()) < sure * bound / std::sqrt(3.0 * static_cast<double>(t.numel())));
    CHECK(std::abs(t.var().item<double>() / (bound * bound / 3) - 1) <
          sure / std::sqrt(static_cast<double>(t.numel())));
  };
  uniform(w, 0.1, 4);
  uniform(b, 0.1, 4);
  uniform(kernel, 0.1, 4);
  const auto [w2, b2, kernel2] = make(1);
  CHECK((identical(w, w2) && identical(b, b2) && identical(kernel, kernel2)));
  CHECK_FALSE(identical(w, std::get<0>(make(2))));
}
