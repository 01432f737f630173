// SPDX-License-Identifier: MIT
// Invalid settings are refused with a message, both when a step is made and when the settings
// change later.
#include "run/support.hpp"

using namespace koila;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN(),
             infinite = std::numeric_limits<double>::infinity();

/// Checks that a step with changed settings is refused with a message that contains `message`. Also
/// checks that a step that has already run refuses the same change and changes nothing.
template <class O>
void refuses(const O& good, const std::string& message, const std::function<void(O&)>& change) {
  CAPTURE(message);
  const parameter<4> w{"w"};
  const input<batch, 4> x{"x"};
  const at::Tensor t = at::randn({3, 4});
  const auto loss = mean(square(x * w));
  O bad = good;
  bad.states = {};
  change(bad);
  CHECK_THROWS_AS(step(loss, bad), std::invalid_argument);
  CHECK_THROWS_WITH(step(loss, bad), ContainsSubstring(message));
  O own = good;
  own.states = {};
  auto train = step(loss, std::move(own));
  (void)train(x = t);
  const at::Tensor before = tensor_of(w).detach().clone();
  const O then = train.optimizer;
  change(train.optimizer);
  CHECK_THROWS_WITH(train(x = t), ContainsSubstring(message));
  CHECK(identical(tensor_of(w), before));
  CHECK(train.steps() == 1);
  train.optimizer = then;
  CHECK_NOTHROW(train(x = t));
}

template <class O>
void refuses_everywhere(const O& good, const std::string& name, double O::* setting,
                        std::initializer_list<double> values) {
  for (const double v : values) refuses<O>(good, name, [&](O& o) { o.*setting = v; });
}

}  // namespace

TEST_CASE("trials B6: settings out of their ranges are refused") {
  const auto below_0 = {-0.1, not_a_number, infinite, -infinite, 1e300};
  refuses_everywhere(sgd{}, "sgd: lr is ", &sgd::lr, below_0);
  refuses_everywhere(sgd{}, "sgd: momentum is ", &sgd::momentum, below_0);
  refuses_everywhere(sgd{}, "sgd: dampening is ", &sgd::dampening, {not_a_number, infinite});
  refuses_everywhere(sgd{}, "sgd: weight_decay is ", &sgd::weight_decay, below_0);
  refuses<sgd>(sgd{}, "sgd: Nesterov's momentum requires a momentum above 0", [](sgd& o) { o.nesterov = true; });
  refuses<sgd>(sgd{.momentum = 0.9}, "and a dampening of 0", [](sgd& o) { o.nesterov = true, o.dampening = 0.1; });
  const auto check_adam = []<class O>(const O& good, const std::string& name) {
    const auto below = {-0.1, not_a_number, infinite};
    refuses_everywhere(good, name + ": lr is ", &O::lr, below);
    refuses_everywhere(good, name + ": eps is ", &O::eps, {-1.0, 0.0, not_a_number, infinite});
    refuses_everywhere(good, name + ": weight_decay is ", &O::weight_decay, below);
    for (const double b : {1.5, 1.0, -0.1, not_a_number}) {
      refuses<O>(good, name + ": the first of betas is ", [&](O& o) { o.betas.first = b; });
      refuses<O>(good, name + ": the second of betas is ", [&](O& o) { o.betas.second = b; });
    }
  };
  check_adam(adam{}, "adam");
  check_adam(adamw{}, "adamw");
  refuses_everywhere(rmsprop{}, "rmsprop: lr is ", &rmsprop::lr, below_0);
  refuses_everywhere(rmsprop{}, "rmsprop: alpha is ", &rmsprop::alpha, {-0.1, 1.0, not_a_number});
  refuses_everywhere(rmsprop{}, "rmsprop: eps is ", &rmsprop::eps, {-1.0, 0.0, not_a_number});
  refuses_everywhere(rmsprop{}, "rmsprop: weight_decay is ", &rmsprop::weight_decay, below_0);
  refuses_everywhere(rmsprop{}, "rmsprop: momentum is ", &rmsprop::momentum, below_0);
  refuses_everywhere(adagrad{}, "adagrad: lr is ", &adagrad::lr, below_0);
  refuses_everywhere(adagrad{}, "adagrad: lr_decay is ", &adagrad::lr_decay, below_0);
  refuses_everywhere(adagrad{}, "adagrad: weight_decay is ", &adagrad::weight_decay, below_0);
  refuses_everywhere(adagrad{}, "adagrad: initial_accumulator_value is ", &adagrad::initial_accumulator_value, below_0);
  refuses_everywhere(adagrad{}, "adagrad: eps is ", &adagrad::eps, {-1.0, 0.0, not_a_number});
  using by_norm = clip_grad_norm<adam>;
  for (const double v : {-1.0, 0.0, not_a_number})
    refuses<by_norm>(by_norm(adam{}, 1), "clip_grad_norm: the largest norm is ", [&](by_norm& o) { o.max_norm = v; });
  // The invalid setting belongs to the inner optimiser.
  refuses<by_norm>(by_norm(adam{}, 1), "adam: lr is -1, not", [](by_norm& o) { o.lr = -1; });
  using by_value = clip_grad_value<sgd>;
  for (const double v : {-1.0, 0.0, not_a_number})
    refuses<by_value>(by_value(sgd{}, 1), "clip_grad_value: the largest value is ",
                      [&](by_value& o) { o.clip_value = v; });
}

TEST_CASE("trials B6: an eps that float32 has not is refused, in groups too") {
  for (const double v : {0.0, 1e-46, 1e-60}) {
    refuses<adam>(adam{}, "adam: eps is ", [=](adam& o) { o.eps = v; });
    refuses<adamw>(adamw{}, "adamw: eps is ", [=](adamw& o) { o.eps = v; });
    refuses<rmsprop>(rmsprop{}, "rmsprop: eps is ", [=](rmsprop& o) { o.eps = v; });
    refuses<adagrad>(adagrad{}, "adagrad: eps is ", [=](adagrad& o) { o.eps = v; });
  }
  const parameter<4> w{"w"};
  CHECK_THROWS_WITH(step(sum(w), adam{}, groups(group(w, {.eps = 1e-60}))), ContainsSubstring("adam: eps is 1e-60"));
  CHECK_NOTHROW(step(sum(w), adam{.eps = 1e-30}));
}

TEST_CASE("trials B6: a step with nothing to train is refused") {
  const parameter<4> w{"w"};
  const input<batch, 4> x{"x"};
  CHECK_THROWS_WITH(step(mean(x), sgd{}), "koila: step: there is nothing to train: the loss has no parameter");
  auto train = step(mean(x * w), sgd{});
  tensor_of(w).set_requires_grad(false);
  const char* const all_frozen =
      "koila: step: there is nothing to train: no parameter that the loss depends on requires a gradient";
  CHECK_THROWS_WITH(train(x = at::ones({2, 4})), all_frozen);
  tensor_of(w).set_requires_grad(true);
  CHECK_NOTHROW(train(x = at::ones({2, 4})));
  auto none = step(mean(x * detach(w)), sgd{});
  CHECK_THROWS_WITH(none(x = at::ones({2, 4})), all_frozen);
}

TEST_CASE("trials B6: backward of a loss in which nothing requires a gradient is refused") {
  const parameter<4> w{"w"};
  const input<batch, 4> x{"x"};
  const at::Tensor values = at::ones({2, 4});
  const char* const message =
      "koila: backward: there is nothing to differentiate by: no parameter that the loss depends on requires a gradient";
  CHECK_THROWS_WITH(backward(mean(x), x = values), message);
  CHECK_THROWS_WITH(backward(mean(x * detach(w)), x = values), message);
  tensor_of(w).set_requires_grad(false);
  CHECK_THROWS_WITH(backward(mean(x * w), x = values), message);
  tensor_of(w).set_requires_grad(true);
  CHECK_NOTHROW(backward(mean(x * w), x = values));
}

TEST_CASE("trials B6: options that are none are refused when the step is made") {
  const parameter<4> w{"w"};
  const input<batch, 4> x{"x"};
  CHECK_THROWS_WITH(step(mean(x * w), sgd{}, {.memory = -100}),
                    "koila: .memory is -100 bytes: at least 0, or -1 for what is free");
  CHECK_THROWS_WITH(step(mean(x * w), sgd{}, {.chunk = -4}), "koila: .chunk is -4 samples: at least 1, or 0 to choose");
  CHECK_NOTHROW(step(mean(x * w), sgd{}, {.memory = -1}));
}

template <class S>
constexpr bool takes_a_part_of_an_epoch = requires(const S& s) { s(0.5); };

TEST_CASE("trials B6: schedules take whole epochs") {
  STATIC_REQUIRE(!takes_a_part_of_an_epoch<step_lr>);
  STATIC_REQUIRE(!takes_a_part_of_an_epoch<exponential_lr>);
  STATIC_REQUIRE(!takes_a_part_of_an_epoch<cosine_annealing_lr>);
  STATIC_REQUIRE(!takes_a_part_of_an_epoch<linear_lr>);
  STATIC_REQUIRE(!takes_a_part_of_an_epoch<polynomial_lr>);
  STATIC_REQUIRE(!takes_a_part_of_an_epoch<warmup<step_lr>>);
  CHECK(step_lr{.lr = 1, .step_size = 2}(std::size_t{3}) == step_lr{.lr = 1, .step_size = 2}(3));
}

TEST_CASE("trials B6: schedules that give no rate are refused when they are called") {
  const auto refused = [](const auto& schedule, const std::string& message, std::int64_t t = 0) {
    CAPTURE(message);
    CHECK_THROWS_AS(schedule(t), std::invalid_argument);
    CHECK_THROWS_WITH(schedule(t), ContainsSubstring(message));
  };
  for (const std::int64_t steps : {0, -3}) {
    refused(step_lr{.lr = 0.1, .step_size = steps}, "step_lr: step_size is ");
    refused(cosine_annealing_lr{.lr = 0.1, .t_max = steps}, "cosine_annealing_lr: t_max is ");
    refused(linear_lr{.lr = 0.1, .total_iters = steps}, "linear_lr: total_iters is ");
    refused(polynomial_lr{.lr = 0.1, .total_iters = steps}, "polynomial_lr: total_iters is ");
  }
  refused(warmup{-1, exponential_lr{.lr = 0.1, .gamma = 0.9}}, "warmup: steps is -1, not at least 0");
  refused(warmup{3, step_lr{.lr = 0.1, .step_size = 0}}, "step_lr: step_size is 0, not at least 1");
  CHECK(warmup{0, exponential_lr{.lr = 0.1, .gamma = 0.5}}(1) == 0.05);
  for (const double v : {-0.1, not_a_number, infinite}) {
    refused(step_lr{.lr = v, .step_size = 2}, "step_lr: lr is ");
    refused(step_lr{.lr = 0.1, .step_size = 2, .gamma = v}, "step_lr: gamma is ");
    refused(exponential_lr{.lr = v, .gamma = 0.9}, "exponential_lr: lr is ");
    refused(exponential_lr{.lr = 0.1, .gamma = v}, "exponential_lr: gamma is ");
    refused(cosine_annealing_lr{.lr = v, .t_max = 3}, "cosine_annealing_lr: lr is ");
    refused(cosine_annealing_lr{.lr = 0.1, .t_max = 3, .eta_min = v}, "cosine_annealing_lr: eta_min is ");
    refused(linear_lr{.lr = v}, "linear_lr: lr is ");
    refused(linear_lr{.lr = 0.1, .start_factor = v}, "linear_lr: start_factor is ");
    refused(linear_lr{.lr = 0.1, .end_factor = v}, "linear_lr: end_factor is ");
    refused(polynomial_lr{.lr = v}, "polynomial_lr: lr is ");
    refused(polynomial_lr{.lr = 0.1, .power = v}, "polynomial_lr: power is ");
  }
  refused(exponential_lr{.lr = 0, .gamma = 10}, "exponential_lr: the rate is ", 400);
  refused(step_lr{.lr = 1e300, .step_size = 1, .gamma = 10}, "step_lr: the rate is inf at t = 300", 300);
  refused(step_lr{.lr = -1e-9, .step_size = 3}, "lr is -1e-09, not at least 0");
  refused(linear_lr{.lr = 0.1, .start_factor = 0}, "above 0 and at most 1");
  refused(linear_lr{.lr = 0.1, .end_factor = 1.5}, "at least 0 and at most 1");
  refused(step_lr{.lr = 0.1, .step_size = 2}, "step_lr: t is -1, not at least 0", -1);
}
