// SPDX-License-Identifier: MIT
// The state belongs to the optimiser and the parameters. All steps of an optimiser share it, and a
// step for a new expression continues with it.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>

#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

using namespace koila;
using namespace ::test;

namespace {

/// Two layers with dropout after the first one.
struct two_layers {
  nn::linear<8, 6> a{"a"};
  nn::dropout drop{0.5};
  nn::linear<6, 3> b{"b"};
  auto operator()(const auto& x) const { return b(drop(tanh(a(x)))); }
};
struct on_two_layers {
  two_layers net;
  input<batch, 8> x{"x"};
  input<int64, batch> label{"label"};
  at::Tensor rows = at::randn({10, 8}), labels = labels_of(10, 3);
  auto loss() const { return cross_entropy(net(x), label); }
  auto weights() const {
    std::vector<at::Tensor> out;
    for (const at::Tensor& t : parameters(net)) out.push_back(t.detach().clone());
    return out;
  }
};
auto all_identical(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) -> bool {
  bool all = a.size() == b.size();
  for (std::size_t k = 0; all && k < a.size(); ++k) all = identical(a[k], b[k]);
  return all;
}

/// A user's optimiser that does not support shared states.
struct half_sgd {
  struct state {
    std::int64_t updates = 0;
    auto bytes() const -> std::int64_t { return 0; }
  };
  double lr = 0.1;
  auto state_for(const at::Tensor&) const -> state { return {}; }
  void update(const at::Tensor& p, const at::Tensor& g, state& s) const {
    p.sub_(g, lr / static_cast<double>(++s.updates));
  }
};

/// Calls f repeatedly. In the n-th call, the n-th allocation fails, until a call has no failure.
/// Calls `after_failure` after each failure.
void each_allocation_fails(const auto& f, const auto& after_failure) {
  failing_allocator host;
  for (int n = 1;; ++n) {
    host.fail_at(n, failing_allocator::thrown::bad_alloc);
    try {
      f();
      host.stop();
      break;
    } catch (const std::exception&) {
      host.stop();
      after_failure();
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("trials B4: a step for a new expression goes on where the last one was, to the bit", "", adam, sgd,
                   rmsprop, adagrad, adamw) {
  koila::detail::random_numbers().seeded = false;
  const auto weights = [](bool renewed, bool by_name) {
    at::manual_seed(3);
    on_two_layers m;
    TestType opt{.lr = 0.05};
    if constexpr (requires { opt.momentum; }) opt.momentum = 0.9;
    auto train = step(m.loss(), opt);
    for (int i = 0; i < 6; ++i) {
      if (renewed && i > 1) {
        set_training(m.net, i != 3);
        set_training(m.net, true);
        if (by_name) train = step(m.loss(), opt);
        else train = step(m.loss(), train.optimizer);
      }
      (void)train(m.x = m.rows, m.label = m.labels);
    }
    CHECK(train.steps() == 6);
    return m.weights();
  };
  const auto want = weights(false, false);
  CHECK(all_identical(weights(true, true), want));
  CHECK(all_identical(weights(true, false), want));
}

TEST_CASE(
    "trials B4: steps of two losses share one optimiser's state, as LibTorch's do, also when dropout is switched") {
  at::manual_seed(4);
  const parameter<float64, 5> w{"w"}, v{"v"};
  for (const auto* p : {&w, &v}) set(*p, at::randn({5}, at::kDouble));
  at::Tensor p = tensor_of(w).detach().clone().requires_grad_(), q = tensor_of(v).detach().clone().requires_grad_();
  const at::Tensor t = at::randn({5}, at::kDouble);
  const input<float64, 5> x{"x"};
  adam opt{.lr = 0.1};
  torch::optim::Adam theirs({p, q}, torch::optim::AdamOptions(0.1));
  auto first = step(sum(square(w * x + v)), opt);
  auto second = step(sum(exp(w * x)), opt);  // trains w alone
  for (int i = 0; i < 9; ++i) {
    if (i == 4) {  // a change of the optimiser's setting affects both steps
      opt.lr = 0.05;
      theirs.param_groups()[0].options().set_lr(0.05);
    }
    const bool one = i % 3 != 2;
    theirs.zero_grad(true);
    if (one) (p * t + q).square().sum().backward();
    else (p * t).exp().sum().backward();
    theirs.step();
    if (one) (void)first(x = t);
    else (void)second(x = t);
    CHECK(relative_error(tensor_of(w), p) <= 1e-12);
    CHECK(relative_error(tensor_of(v), q) <= 1e-12);
  }
  CHECK(first.steps() == 9);
  CHECK(first.state_bytes() == 160);
  CHECK(first.plan().optimizer_bytes == 160);
  CHECK(second.state_bytes() == 80);  // only the state of w
}

TEST_CASE("trials B4: a change of an optimiser's settings reaches the steps made from it, wherever it is moved") {
  const parameter<4> w{"w"};
  const input<4> x{"x"};
  const at::Tensor ones = at::ones({4});
  const auto moved_by = [&](auto& train) {
    set(w, at::zeros({4}));
    (void)train(x = ones);
    return -tensor_of(w)[0].template item<double>();
  };
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-6; };
  std::vector<sgd> all(1);
  all[0].lr = 1;
  auto a = step(sum(w * x), all[0]), b = step(sum(w * x), all[0]);
  CHECK((near(moved_by(a), 1) && near(moved_by(b), 1)));
  all[0].lr = 2;
  CHECK((near(moved_by(a), 2) && near(moved_by(b), 2)));
  b.optimizer.lr = 3;  // changes only this step
  CHECK((near(moved_by(a), 2) && near(moved_by(b), 3)));
  all[0].weight_decay = 0.5;  // b follows this setting but keeps its own lr
  CHECK((near(moved_by(a), 2) && near(moved_by(b), 3)));
  CHECK(b.optimizer.weight_decay == 0.5);
  for (int i = 0; i < 3; ++i) all.emplace_back();  // the vector moves the optimiser
  all[0].lr = 4;
  CHECK((near(moved_by(a), 4) && near(moved_by(b), 4)));
  auto moved_step = std::move(a);
  all[0].lr = 5;
  CHECK(near(moved_by(moved_step), 5));
  all.clear();  // destroys the optimiser
  CHECK(near(moved_by(moved_step), 5));
  moved_step.optimizer.lr = 6;
  CHECK(near(moved_by(moved_step), 6));

  auto clipped = clip_grad_norm(sgd{.lr = 1}, 1e6);
  auto c = step(sum(w * x), clipped);
  CHECK(near(moved_by(c), 1));
  clipped.max_norm = 1;  // a gradient of four ones has norm 2
  CHECK(near(moved_by(c), 0.5));
  clipped.lr = 2;
  CHECK(near(moved_by(c), 1));
  clipped.lr = -1;
  CHECK_THROWS_AS(c(x = ones), std::invalid_argument);

  constexpr sgd constant{.lr = 7};
  auto d = step(sum(w * x), constant);
  CHECK(near(moved_by(d), 7));
}

TEST_CASE("trials B4: between two calls a step's own settings count, whatever its optimiser's were changed to") {
  const parameter<4> w{"w"};
  const input<4> x{"x"};
  set(w, at::zeros({4}));
  const auto once = [&](auto& train) { (void)train(x = at::ones({4})); };
  adam opt{.lr = 0.1};
  auto a = step(sum(w * x), opt), b = step(sum(w * x), opt);
  for (int epoch = 1; epoch < 4; ++epoch) {  // the optimiser and step b have different schedules
    opt.lr = 0.1 / epoch, b.optimizer.lr = 0.01 / epoch;
    once(a), once(b);
    CHECK((a.optimizer.lr == 0.1 / epoch && b.optimizer.lr == 0.01 / epoch));
  }
  b.optimizer.lr = 3, opt.lr = 2, opt.betas = {0.5, 0.9};
  once(b);
  CHECK((b.optimizer.lr == 3 && b.optimizer.betas == std::pair(0.5, 0.9)));
  opt.lr = 4;  // set after the call, so this change is the newest
  once(b);
  CHECK(b.optimizer.lr == 4);
  // An invalid setting is refused, whether the step or the optimiser has it.
  const double none = std::numeric_limits<double>::quiet_NaN();
  opt.lr = none;
  CHECK_THROWS_AS(once(b), std::invalid_argument);
  opt.lr = 0.1, b.optimizer.lr = -1;
  CHECK_THROWS_AS(once(b), std::invalid_argument);
  b.optimizer.lr = 1;
  CHECK_NOTHROW(once(b));
  opt.lr = none, opt.betas = {none, 0.9};
  CHECK_THROWS_AS(once(b), std::invalid_argument);
  opt.lr = 0.2, opt.betas = {0.8, 0.9};
  CHECK_NOTHROW(once(b));
  CHECK((b.optimizer.lr == 0.2 && b.optimizer.betas == std::pair(0.8, 0.9)));
}

TEST_CASE("trials B4: an optimiser of one's own that shares nothing works as before") {
  const parameter<4> w{"w"};
  const input<4> x{"x"};
  half_sgd own{.lr = 1};
  auto a = step(sum(w * x), own), b = step(sum(w * x), own);
  const auto moved_by = [&](auto& train) {
    set(w, at::zeros({4}));
    (void)train(x = at::ones({4}));
    return -tensor_of(w)[0].template item<double>();
  };
  CHECK(moved_by(a) == 1);
  CHECK(moved_by(a) == 0.5);
  CHECK(moved_by(b) == 1);  // these steps do not share state
  a.optimizer.lr = 3;
  CHECK(moved_by(a) == 1);
}

TEST_CASE("trials B4: what is kept of models that are gone is dropped when the next step is made") {
  const adam opt{};
  const auto kept = [&] { return opt.states.table()->all.size(); };
  for (int i = 0; i < 3; ++i) {
    on_two_layers m;
    auto train = step(m.loss(), opt);
    CHECK(kept() == 0);
    (void)train(m.x = m.rows, m.label = m.labels);
    CHECK(kept() == 4);
  }
  CHECK(kept() == 4);
}

TEST_CASE("trials B4: a step that fails has not changed what others share with it") {
  on_two_layers m;
  adam opt{};
  auto train = step(m.loss(), opt), other = step(mean(square(m.net(m.x))), opt);
  each_allocation_fails([&] { (void)train(m.x = m.rows, m.label = m.labels); },
                        [&] {
                          CHECK(train.steps() == 0);
                          for (const auto& kept : opt.states.table()->all) {
                            if (!kept->state) continue;
                            CHECK(kept->state->step == 0);
                            CHECK(kept->state->exp_avg.eq(0).all().item<bool>());
                          }
                        });
  CHECK(train.steps() == 1);
  (void)other(m.x = m.rows);
  CHECK(opt.states.table()->all.size() == 4);
  CHECK(other.state_bytes() == train.state_bytes());
}

TEST_CASE("trials B4: an optimiser that is assigned is another one, whose states its steps take") {
  const parameter<4> w{"w"};
  const input<4> x{"x"};
  const at::Tensor ones = at::ones({4});
  const auto loss = sum(w * x);
  const auto moved_by = [&](auto& train) {
    set(w, at::zeros({4}));
    (void)train(x = ones);
    return -tensor_of(w)[0].template item<double>();
  };
  const auto starts_without_state = [&](auto& train, const sgd& opt, double lr) {
    CHECK(train.steps() == 0);
    CHECK(moved_by(train) == lr);  // with the previous momentum it would be 1.9 * lr
    CHECK(moved_by(train) == Approx(1.9 * lr));
    CHECK(train.steps() == 2);
    CHECK(opt.states.table()->steps == 2);
    CHECK(step(loss, opt).steps() == 2);  // the new step shares the state
  };
  sgd opt{.lr = 1, .momentum = 0.9};
  auto train = step(loss, opt);
  starts_without_state(train, opt, 1);
  opt = sgd{.lr = 0.5, .momentum = 0.9};
  starts_without_state(train, opt, 0.5);
  const sgd fresh{.lr = 0.25, .momentum = 0.9};
  opt = fresh;
  starts_without_state(train, opt, 0.25);
  opt.states = {};
  starts_without_state(train, opt, 0.25);
  train.optimizer.states = {};
  starts_without_state(train, train.optimizer, 0.25);
  train.optimizer = sgd{.lr = 2, .momentum = 0.9};
  starts_without_state(train, train.optimizer, 2);

  sgd first{.lr = 1}, second{.lr = 3};
  auto a = step(loss, first), b = step(loss, second);
  CHECK((moved_by(a) == 1 && moved_by(b) == 3));
  first = std::move(second);  // both steps now follow the optimiser that was moved to `first`
  first.lr = 4;
  CHECK((moved_by(a) == 4 && moved_by(b) == 4));
  CHECK((a.steps() == 3 && b.steps() == 3));
}

TEST_CASE("trials B4: states that cannot be taken leave a step as it was") {
  on_two_layers m;
  adam opt{};
  auto train = step(m.loss(), opt);
  (void)train(m.x = m.rows, m.label = m.labels);
  const auto table = opt.states.table();
  opt.states = {};
  each_allocation_fails([&] { (void)train(m.x = m.rows, m.label = m.labels); },
                        [&] {
                          CHECK(opt.states.table()->all.empty());
                          CHECK(table->all.size() == 4);
                          CHECK(train.state_bytes() > 0);
                        });
  CHECK(train.steps() == 1);
  CHECK(opt.states.table()->all.size() == 4);
}

TEST_CASE("trials B4: what is around an optimiser is followed wherever it is moved") {
  const parameter<4> w{"w"};
  const input<4> x{"x"};
  const auto moved_by = [&](auto& train) {
    set(w, at::zeros({4}));
    (void)train(x = at::ones({4}));
    return -tensor_of(w)[0].template item<double>();
  };
  auto made = clip_grad_norm(sgd{.lr = 1}, 1e9);
  auto train = step(sum(w * x), made);
  CHECK(moved_by(train) == Approx(1));
  auto opt = std::move(made);
  opt.max_norm = 0.2;  // a gradient of four ones has norm 2
  CHECK(moved_by(train) == Approx(0.1));
  opt.lr = 5;
  CHECK(moved_by(train) == Approx(0.5));
  std::vector<clip_grad_value<sgd>> all(1, clip_grad_value(sgd{.lr = 1}, 1e9));
  auto other = step(sum(w * x), all[0]);
  for (int i = 0; i < 3; ++i) all.push_back(all[0]);
  all[0].clip_value = 0.25;
  CHECK(moved_by(other) == Approx(0.25));
}

TEST_CASE("trials B4: a setting that needs memory later is taken by every step, also by one made afterwards") {
  const parameter<4> w{"w"};
  const input<4> x{"x"};
  const auto loss = sum(w * x);
  sgd opt{.lr = 1};
  auto first = step(loss, opt);
  (void)first(x = at::ones({4}));
  opt.momentum = 0.9;
  auto second = step(loss, opt);
  set(w, at::zeros({4}));
  (void)second(x = at::ones({4}));
  (void)first(x = at::ones({4}));
  CHECK(tensor_of(w)[0].item<double>() == Approx(-2.9));
}

TEST_CASE("trials B4: a step that was moved away says so") {
  const parameter<4> w{"w"};
  const input<4> x{"x"};
  auto train = step(sum(w * x), adam{});
  auto now = std::move(train);
  CHECK_THROWS_WITH(train(x = at::ones({4})), "koila: step: it was moved: call the step that it became");
  CHECK_THROWS_AS(train.steps(), std::logic_error);
  CHECK_NOTHROW(now(x = at::ones({4})));
}

TEST_CASE("clipped gradients: what is around goes first, and what is inside is not left out") {
  const parameter<4> w{"w"};
  const input<4> x{"x"};
  const auto moved_by = [&](const auto& optimizer) {
    set(w, at::zeros({4}));
    auto train = step(sum(w * x), optimizer);
    (void)train(x = at::ones({4}));
    return -tensor_of(w)[0].template item<double>();
  };
  const sgd plain{.lr = 1};
  CHECK(moved_by(clip_grad_norm(clip_grad_value(plain, 0.1), 1e9)) == Approx(0.1));
  CHECK(moved_by(clip_grad_value(clip_grad_norm(plain, 0.2), 1e9)) == Approx(0.1));
  CHECK(moved_by(clip_grad_norm(clip_grad_value(plain, 0.4), 1)) == Approx(0.4));  // norm gives 0.5, then value 0.4
  struct doubling : sgd {
    void before(std::span<const at::Tensor> gradients) const {
      for (const at::Tensor& g : gradients) g.mul_(2);
    }
  };
  CHECK(moved_by(clip_grad_value(doubling{{.lr = 1}}, 0.5)) == Approx(1));
}
