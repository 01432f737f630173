// SPDX-License-Identifier: MIT
// adam, adamw, rmsprop, adagrad and clipping, compared with torch::optim on the same gradients.
#include "float32_bound.hpp"
#include "run/support.hpp"

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>

using namespace koila;
using namespace ::test;

namespace {

/// Trains a classifier with koila's step, and a copy of the classifier with LibTorch's optimiser.
/// The parameters must stay equal. Both learning rates change after three steps. `clip` clips the
/// gradients of LibTorch's copy.
template <dtype T, class Theirs, class O, class Options>
void check(const O& o, const Options& options, const std::function<void(const std::vector<at::Tensor>&)>& clip = {}) {
  classifier<T, 20, 16, 10> net;
  input<T, batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  const at::Tensor images = at::randn({13, 20}, scalar_type(T)) * 3, labels = labels_of(13, 10);  // (13, 20), (13)
  const auto loss = cross_entropy(net(x), label);
  (void)plan(loss, x = images, label = labels);
  set(net.w1, tensor_of(net.w1).detach().t().contiguous().t());  // not contiguous
  std::vector<at::Tensor> p = net.tensors();
  for (at::Tensor& t : p) t = t.detach().clone().requires_grad_();
  Theirs theirs(p, options);
  auto train = step(loss, o, {.chunk = 4});
  for (int i = 0; i < 6; ++i) {
    if (i == 3) {  // settings may change between steps
      train.optimizer.lr = o.lr / 3;
      theirs.param_groups()[0].options().set_lr(o.lr / 3);
    }
    for (std::size_t k = 0; k < p.size(); ++k) net.tensors()[k].mutable_grad() = at::Tensor();
    (void)backward(loss, {.chunk = 4}, x = images, label = labels);
    for (std::size_t k = 0; k < p.size(); ++k) p[k].mutable_grad() = net.tensors()[k].grad().clone();
    (void)train(x = images, label = labels);
    if (clip) clip(p);
    theirs.step();
    for (std::size_t k = 0; k < p.size(); ++k) {
      CAPTURE(i, k);
      CHECK(relative_error(net.tensors()[k], p[k]) <= (T == float64 ? 1e-12 : float32_bound(1000)));
      // LibTorch's optimiser gets koila's gradients. With LibTorch's gradients, adam would amplify
      // a small difference of one step in the next steps.
    }
  }
}

template <class Theirs, class O, class Options>
void check_both(const O& o, const Options& options) {
  check<float64, Theirs>(o, options);
  check<float32, Theirs>(o, options);
}

}  // namespace

TEST_CASE("adam and adamw are LibTorch's formulas") {
  at::manual_seed(5);
  using torch::optim::Adam, torch::optim::AdamOptions, torch::optim::AdamW, torch::optim::AdamWOptions;
  check_both<Adam>(adam{}, AdamOptions());
  check_both<AdamW>(adamw{}, AdamWOptions());
  for (const bool amsgrad : {false, true})
    for (const double weight_decay : {0.0, 0.1}) {
      check_both<Adam>(
          adam{.lr = 0.01, .betas = {0.8, 0.95}, .eps = 1e-6, .weight_decay = weight_decay, .amsgrad = amsgrad},
          AdamOptions(0.01).betas({0.8, 0.95}).eps(1e-6).weight_decay(weight_decay).amsgrad(amsgrad));
      check_both<AdamW>(
          adamw{.lr = 0.01, .betas = {0.8, 0.95}, .eps = 1e-6, .weight_decay = weight_decay, .amsgrad = amsgrad},
          AdamWOptions(0.01).betas({0.8, 0.95}).eps(1e-6).weight_decay(weight_decay).amsgrad(amsgrad));
    }
}

TEST_CASE("rmsprop is LibTorch's formula") {
  at::manual_seed(6);
  using torch::optim::RMSprop, torch::optim::RMSpropOptions;
  check_both<RMSprop>(rmsprop{}, RMSpropOptions());
  for (const bool centered : {false, true})
    for (const double momentum : {0.0, 0.9})
      check_both<RMSprop>(
          rmsprop{
              .lr = 0.02, .alpha = 0.9, .eps = 1e-6, .weight_decay = 0.1, .momentum = momentum, .centered = centered},
          RMSpropOptions(0.02).alpha(0.9).eps(1e-6).weight_decay(0.1).momentum(momentum).centered(centered));
}

TEST_CASE("adagrad is LibTorch's formula") {
  at::manual_seed(7);
  using torch::optim::Adagrad, torch::optim::AdagradOptions;
  check_both<Adagrad>(adagrad{}, AdagradOptions());
  check_both<Adagrad>(
      adagrad{.lr = 0.1, .lr_decay = 0.5, .weight_decay = 0.1, .initial_accumulator_value = 0.2, .eps = 1e-6},
      AdagradOptions(0.1).lr_decay(0.5).weight_decay(0.1).initial_accumulator_value(0.2).eps(1e-6));
}

TEST_CASE("gradients are clipped as LibTorch clips them") {
  at::manual_seed(8);
  using torch::optim::Adam, torch::optim::AdamOptions;
  for (const double most : {0.01, 1e6})  // a limit that has an effect, and a limit that has none
    check<float64, Adam>(clip_grad_norm(adam{.lr = 0.01}, most), AdamOptions(0.01),
                         [&](const auto& p) { (void)torch::nn::utils::clip_grad_norm_(p, most); });
  for (const double most : {1e-3, 1e6})
    check<float64, Adam>(clip_grad_value(adam{.lr = 0.01}, most), AdamOptions(0.01),
                         [&](const auto& p) { torch::nn::utils::clip_grad_value_(p, most); });
}

TEST_CASE("what an optimiser keeps is counted from the first step on, and an update takes no tensor memory") {
  const parameter<100> w{"w"};
  const input<batch, 100> x{"x"};
  const at::Tensor t = at::randn({5, 100});
  const auto count = [&](auto o, std::int64_t kept) {
    auto train = step(sum(w * x), o);
    (void)train(x = t);
    CHECK(train.state_bytes() == 400 * kept);
    CHECK(train.plan().optimizer_bytes == 400 * kept);
    auto state = o.state_for(tensor_of(w));
    const at::Tensor g = at::ones({100});
    const measure here;
    o.update(tensor_of(w).detach(), g, state);
    CHECK(here.peak() == 0);
  };
  count(adam{}, 2);
  count(adam{.amsgrad = true}, 3);
  count(adamw{}, 2);
  count(rmsprop{}, 1);
  count(rmsprop{.momentum = 0.9, .centered = true}, 3);
  count(adagrad{}, 1);
  count(clip_grad_norm(adam{}, 1.0), 2);
}

TEST_CASE("an optimiser's setting that needs memory which it does not keep is refused, and nothing is changed") {
  const parameter<10> w{"w"};
  const input<batch, 10> x{"x"};
  const at::Tensor t = at::randn({5, 10});
  const auto ask = [&](auto o, const std::string& setting, auto change) {
    auto train = step(sum(w * x), o);
    (void)train(x = t);
    const auto before = train.optimizer;
    change(train.optimizer);
    const at::Tensor then = tensor_of(w).detach().clone();
    CHECK_THROWS_WITH(train(x = t), "koila: " + setting +
                                        " was switched on after the first step. It needs memory that only the first "
                                        "step allocates: state it when the optimiser is made");
    CHECK(at::equal(tensor_of(w).detach(), then));
    train.optimizer = before;
    CHECK_NOTHROW(train(x = t));
  };
  ask(adam{}, "adam: amsgrad", [](adam& o) { o.amsgrad = true; });
  ask(adamw{}, "adamw: amsgrad", [](adamw& o) { o.amsgrad = true; });
  ask(rmsprop{}, "rmsprop: momentum", [](rmsprop& o) { o.momentum = 0.9; });
  ask(rmsprop{}, "rmsprop: centered", [](rmsprop& o) { o.centered = true; });
  // A step of sgd allocates the memory for a momentum that may be set later. An update alone does
  // not.
  sgd::state empty;
  CHECK_THROWS_WITH((sgd{.momentum = 0.9}).update(t, t, empty),
                    Catch::Matchers::StartsWith("koila: sgd: momentum was"));
}

TEST_CASE("schedules are those of torch.optim.lr_scheduler, in closed form") {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-15; };
  const step_lr steps{.lr = 0.1, .step_size = 30};
  CHECK((near(steps(0), 0.1) && near(steps(29), 0.1) && near(steps(30), 0.01) && near(steps(60), 0.001)));
  CHECK(near(exponential_lr{.lr = 0.1, .gamma = 0.5}(3), 0.0125));
  const cosine_annealing_lr cosine{.lr = 0.1, .t_max = 10, .eta_min = 0.02};
  CHECK((near(cosine(0), 0.1) && near(cosine(5), 0.06) && near(cosine(10), 0.02)));
  const linear_lr linear{.lr = 0.3, .total_iters = 4};
  CHECK((near(linear(0), 0.1) && near(linear(2), 0.2) && near(linear(4), 0.3) && near(linear(9), 0.3)));
  const polynomial_lr poly{.lr = 0.4, .total_iters = 4, .power = 2};
  CHECK((near(poly(0), 0.4) && near(poly(2), 0.1) && near(poly(4), 0) && near(poly(9), 0)));
  const warmup warm{4, exponential_lr{.lr = 0.4, .gamma = 0.5}};
  CHECK((near(warm(0), 0.1) && near(warm(3), 0.4) && near(warm(4), 0.4) && near(warm(5), 0.2)));
}
