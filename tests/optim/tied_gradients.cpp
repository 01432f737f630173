// SPDX-License-Identifier: MIT
// Gradients that are the same value, or slices of one value, are each clipped once and applied
// once.
#include "run/support.hpp"

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/sgd.h>

using namespace koila;
using namespace ::test;

namespace {

using torch::optim::SGD, torch::optim::SGDOptions;

/// Makes three steps of a loss of these parameters, and three steps of LibTorch's SGD from the same
/// values. The parameters must stay equal.
template <class O, class Loss, class Eager, class... P>
void check(const O& o, const SGDOptions& options, double max_norm, const Loss& loss, const Eager& eager,
           const P&... ps) {
  std::vector<at::Tensor> theirs{tensor_of(ps).detach().clone().requires_grad_()...};
  SGD optimizer(theirs, options);
  auto train = step(loss(ps...), o);
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    const at::Tensor want = eager(theirs);
    want.backward();
    if (max_norm > 0) torch::nn::utils::clip_grad_norm_(theirs, max_norm);
    optimizer.step();
    CHECK(relative_error(train(), want) <= 1e-12);
    const at::Tensor mine[] = {tensor_of(ps)...};
    for (std::size_t k = 0; k < sizeof...(P); ++k) CHECK(relative_error(mine[k], theirs[k]) <= 1e-12);
  }
}

template <index_t... N>
auto some(const char* name) -> parameter<float64, N...> {
  parameter<float64, N...> p(name);
  set(p, at::randn({N...}, at::kDouble));
  return p;
}

}  // namespace

TEST_CASE("gradients that are one value are clipped and used up once each") {
  at::manual_seed(3);
  const auto a = some<4>("a"), b = some<4>("b"), c = some<4>("c");
  const auto clipped = clip_grad_norm(sgd{.lr = 0.1}, 0.2);
  check(
      clipped, SGDOptions(0.1), 0.2, [](auto p, auto q) { return sum(square(p + q)); },
      [](const auto& t) { return (t[0] + t[1]).square().sum(); }, a, b);
  check(
      clipped, SGDOptions(0.1), 0.2, [](auto p, auto q, auto r) { return sum(exp(p + q + r)); },
      [](const auto& t) { return (t[0] + t[1] + t[2]).exp().sum(); }, a, b, c);
  check(  // both gradients are the number 1
      clipped, SGDOptions(0.1), 0.2, [](auto p, auto q) { return sum(p) + sum(q); },
      [](const auto& t) { return t[0].sum() + t[1].sum(); }, a, b);
  check(  // one gradient is the transpose of the other gradient
      clipped, SGDOptions(0.1), 0.2, [](auto p, auto q) { return sum(square(p + transpose(q, 0_c, 1_c))); },
      [](const auto& t) { return (t[0] + t[1].t()).square().sum(); }, some<3, 5>("m"), some<5, 3>("n"));
  check(  // the gradient is the loss itself
      clipped, SGDOptions(0.1), 0.2, [](auto p) { return exp(p); }, [](const auto& t) { return t[0].exp(); },
      some<>("s"));
  check(  // the gradients are slices of one value and are not contiguous
      clipped, SGDOptions(0.1), 0.2, [](auto p, auto q) { return sum(square(cat(p, q, dim = 1_c))); },
      [](const auto& t) { return at::cat({t[0], t[1]}, 1).square().sum(); }, some<4, 3>("l"), some<4, 5>("r"));
  const auto nesterov = sgd{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.1, .nesterov = true};
  check(
      nesterov, SGDOptions(0.1).momentum(0.9).weight_decay(0.1).nesterov(true), 0,
      [](auto p, auto q) { return sum(square(p + transpose(q, 0_c, 1_c))); },
      [](const auto& t) { return (t[0] + t[1].t()).square().sum(); }, some<3, 5>("m"), some<5, 3>("n"));
}

TEST_CASE("gradients that are one value: parameters of 16 bits decay by themselves") {
  parameter<bfloat16, 4> a("a"), b("b");
  set(a, at::full({4}, 1, at::kBFloat16));
  set(b, at::full({4}, -8, at::kBFloat16));
  auto train = step(sum(to<float32>(a + b)), sgd{.lr = 0.5, .weight_decay = 0.25});
  (void)train();
  CHECK(tensor_of(a).eq(1 - 0.5 * (1 + 0.25)).all().item<bool>());
  CHECK(tensor_of(b).eq(-8 - 0.5 * (1 - 2)).all().item<bool>());
}

TEST_CASE("sgd: momentum may be set to 0 and back, as LibTorch's") {
  const auto w = some<10>("w");
  at::Tensor theirs = tensor_of(w).detach().clone().requires_grad_();
  SGD optimizer({theirs}, SGDOptions(0.1).momentum(0.9).dampening(0.5));
  auto train = step(sum(square(w)), sgd{.lr = 0.1, .momentum = 0.9, .dampening = 0.5});
  for (const double momentum : {0.9, 0.9, 0.0, 0.0, 0.9, 0.9}) {
    train.optimizer.momentum = momentum;
    static_cast<SGDOptions&>(optimizer.param_groups()[0].options()).momentum(momentum);
    optimizer.zero_grad();
    theirs.square().sum().backward();
    optimizer.step();
    (void)train();
    CHECK(relative_error(tensor_of(w), theirs) <= 1e-12);
  }
}

TEST_CASE("a setting that memory is missing for is refused before any parameter is changed") {
  const auto first = some<4>("first"), second = some<4>("second");
  const auto loss = sum(square(first * second));
  auto train = step(loss, rmsprop{});
  tensor_of(first).set_requires_grad(false);
  (void)train();
  tensor_of(first).set_requires_grad(true);
  train.optimizer.momentum = 0.9;
  const at::Tensor before = tensor_of(first).detach().clone(), beside = tensor_of(second).detach().clone();
  CHECK_THROWS_AS(train(), std::invalid_argument);
  CHECK(at::equal(tensor_of(first).detach(), before));
  CHECK(at::equal(tensor_of(second).detach(), beside));
}
