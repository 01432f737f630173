// SPDX-License-Identifier: MIT
// A step can be restricted to given parameters. Groups of parameters can have settings of their
// own.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>

using namespace koila;
using namespace ::test;

namespace {

struct generator {
  parameter<float64, 6, 4> w{"w"};
  parameter<float64, 6> b{"b"};
  auto operator()(const auto& z) const { return tanh(linear(z, w, b)); }
};
struct discriminator {
  parameter<float64, 1, 6> w{"w"};
  parameter<float64, 1> b{"b"};
  auto operator()(const auto& x) const { return linear(x, w, b); }
};
struct adversaries {
  generator g;
  discriminator d;
  input<float64, batch, 4> z{"z"};
  at::Tensor noise = at::randn({12, 4}, at::kDouble);
  auto loss() const { return mean(softplus(d(g(z)))); }
  /// The same loss with LibTorch. `p` is {g.w, g.b, d.w, d.b}.
  auto loss(const std::vector<at::Tensor>& p) const {
    return at::softplus(at::linear(at::linear(noise, p[0], p[1]).tanh(), p[2], p[3])).mean();
  }
  auto tensors() const -> std::vector<at::Tensor> {
    return {tensor_of(g.w), tensor_of(g.b), tensor_of(d.w), tensor_of(d.b)};
  }
  auto copies() const {
    std::vector<at::Tensor> p = tensors();
    for (at::Tensor& t : p) t = t.detach().clone().requires_grad_();
    return p;
  }
};

using torch::optim::Adam, torch::optim::AdamOptions, torch::optim::AdamW, torch::optim::AdamWOptions;
using torch::optim::OptimizerParamGroup;

template <class Options>
auto theirs_of(std::vector<at::Tensor> p, const Options& o) {
  return OptimizerParamGroup(std::move(p), std::make_unique<Options>(o));
}

}  // namespace

TEST_CASE("trials B3: a step trains the parameters that are named, and computes the gradients of no others") {
  at::manual_seed(1);
  const adversaries m;
  const std::vector<at::Tensor> p = m.copies();
  Adam theirs({p[0], p[1]}, AdamOptions(0.05));
  auto train = step(m.loss(), adam{.lr = 0.05}, named_parameters(m.g));
  for (int i = 0; i < 4; ++i) {
    theirs.zero_grad();
    m.loss(p).backward();
    theirs.step();
    (void)train(m.z = m.noise);
    for (std::size_t k = 0; k < p.size(); ++k) CHECK(relative_error(m.tensors()[k], p[k]) <= 1e-12);
  }
  CHECK(identical(m.tensors()[2], p[2]));
  CHECK(train.state_bytes() == 2 * 8 * 30);
  const auto gradients = [&](const memory_plan& plan) { return plan.outputs.size() - 1; };
  CHECK(gradients(train.plan()) == 2);
  auto all = step(m.loss(), adam{}), both = step(m.loss(), adam{}, named_parameters(m.g, m.d)),
       one = step(m.loss(), adam{}, m.d.b);
  CHECK(gradients(all.plan(m.z = m.noise)) == 4);
  CHECK(gradients(both.plan(m.z = m.noise)) == 4);
  CHECK(gradients(one.plan(m.z = m.noise)) == 1);
  CHECK(train.plan().peak_bytes() < all.plan().peak_bytes());
  auto model = step(m.loss(), adam{}, m.d), tensors = step(m.loss(), adam{}, parameters(m.d), {.chunk = 4});
  CHECK(gradients(model.plan(m.z = m.noise)) == 2);
  CHECK(gradients(tensors.plan(m.z = m.noise)) == 2);
  CHECK(tensors.plan().chunk() == 4);
}

TEST_CASE("trials B3: what is named may be frozen for a while, and the step's state stays exact") {
  const adversaries m;
  auto train = step(m.loss(), adam{}, named_parameters(m.g));
  (void)m.tensors();
  tensor_of(m.g.w).set_requires_grad(false);
  tensor_of(m.d.w).set_requires_grad(false);  // the step does not train this parameter in any case
  (void)train(m.z = m.noise);
  CHECK(train.state_bytes() == 2 * 8 * 6);
  CHECK(train.plan().optimizer_bytes == 2 * 8 * 6);
  tensor_of(m.g.w).set_requires_grad(true);
  (void)train(m.z = m.noise);
  CHECK(train.state_bytes() == 2 * 8 * 30);
  CHECK(train.plan().optimizer_bytes == 2 * 8 * 30);
}

TEST_CASE("trials B3: groups have their own settings, and those of the optimiser where they name none") {
  at::manual_seed(2);
  const adversaries m;
  const std::vector<at::Tensor> p = m.copies();
  AdamW theirs(std::vector<OptimizerParamGroup>{theirs_of({p[0], p[1]}, AdamWOptions(1e-2).weight_decay(0.1)),
                                                theirs_of({p[2], p[3]}, AdamWOptions(1e-1).weight_decay(0))},
               AdamWOptions());
  auto train = step(m.loss(), clip_grad_norm(adamw{.lr = 3, .weight_decay = 0.1}, 0.02),
                    groups(group(m.g, {.lr = 1e-2}), group(m.d, {.lr = 1e-1, .weight_decay = 0})), {.chunk = 5});
  for (int i = 0; i < 6; ++i) {
    if (i == 2) {  // a schedule changes the learning rate of one group
      train.group(1).lr = 0.05;
      theirs.param_groups()[1].options().set_lr(0.05);
    }
    if (i == 4) {  // changes group 0 only: group 1 overrides this setting
      train.optimizer.weight_decay = 0.3;
      static_cast<AdamWOptions&>(theirs.param_groups()[0].options()).weight_decay(0.3);
    }
    theirs.zero_grad();
    m.loss(p).backward();
    torch::nn::utils::clip_grad_norm_(p, 0.02);  // clips all gradients together
    theirs.step();
    (void)train(m.z = m.noise);
    for (std::size_t k = 0; k < p.size(); ++k) CHECK(relative_error(m.tensors()[k], p[k]) <= 1e-12);
  }
  CHECK(train.group_count() == 2);
  CHECK(train.group(1).lr == 0.05);
  CHECK_THROWS_AS(train.group(2), argument_error);
  CHECK_THROWS_WITH(train.group(2), "koila: step: there is no group 2: the step has 2 groups");
}

TEST_CASE("trials B3: parameters beside the groups are not trained, and a group's state follows its own settings") {
  const adversaries m;
  auto train = step(m.loss(), sgd{.lr = 0.1}, groups(group(m.g.w, {.momentum = 0.9}), group(m.d)));
  const at::Tensor b = tensor_of(m.g.b).detach().clone();
  (void)train(m.z = m.noise);
  CHECK(identical(tensor_of(m.g.b), b));
  CHECK(train.state_bytes() == 8 * 24);  // the momentum of g.w
  train.group(1).momentum = 0.5;
  (void)train(m.z = m.noise);
  CHECK(train.state_bytes() == 8 * 24 + 8 * 6 + 8);
}

TEST_CASE("trials B3: an empty list of groups is refused") {
  const parameter<4> w{"w"};
  CHECK_THROWS_WITH(step(sum(w), sgd{}, std::vector<parameter_group>()),
                    "koila: step: there is nothing to train: the list of groups is empty");
}

TEST_CASE("trials B3: what cannot be trained so is refused with a sentence") {
  const adversaries m, other;
  const auto loss = m.loss();
  CHECK_THROWS_WITH(step(loss, adam{}, named_parameters(other.g)),
                    "koila: step: w is to be trained, and it is no parameter of the loss");
  CHECK_THROWS_WITH(step(loss, adam{}, parameters(other.g)),
                    "koila: step: a tensor is to be trained, and it is no parameter of the loss");
  CHECK_THROWS_WITH(step(loss, adam{}, std::vector<named_leaf>()),
                    "koila: step: there is nothing to train in group 0: it has no parameters");
  CHECK_THROWS_WITH(step(loss, adam{}, groups(group(m.d), group(std::vector<generator>()))),
                    "koila: step: there is nothing to train in group 1: it has no parameters");
  CHECK_THROWS_WITH(step(loss, adam{}, groups(group(m.g), group(m.d), group(m.g.b))),
                    "koila: step: b is in group 0 and in group 2");
  CHECK_THROWS_WITH(step(loss, adam{}, groups(group(m.g, {.momentum = 0.9}))),
                    "koila: step: a group of parameters names momentum, which is no setting of the optimiser");
  CHECK_THROWS_WITH(step(loss, adam{}, groups(group(m.g, {.lr = -1}))),
                    "koila: adam: lr is -1, not a finite number of at least 0 in float32");
  auto train = step(loss, adam{}, groups(group(m.g), group(m.d)));
  (void)train(m.z = m.noise);
  const at::Tensor before = tensor_of(m.g.w).detach().clone();
  train.group(1).betas = {0.5, 1.5};
  CHECK_THROWS_AS(train(m.z = m.noise), std::invalid_argument);
  CHECK(identical(tensor_of(m.g.w), before));
  train.group(1).betas.reset();
  CHECK_NOTHROW(train(m.z = m.noise));
}
