// SPDX-License-Identifier: MIT
// Callables as ops: in models, in steps and in chunks, their memory, and their exceptions.
#include <koila/ops/custom/custom.hpp>

#include "run/support.hpp"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

using namespace koila;
using namespace koila::author;
using namespace ::test;

TEST_CASE("a callable between koila's ops: a model and its training against LibTorch's") {
  const classifier<float64, 20, 16, 10> net;
  const input<float64, batch, 20> x{"x"};
  const input<int64, batch> label{"label"};
  const at::Tensor images = at::randn({13, 20}, at::kDouble), labels = labels_of(13, 10);  // (batch, 20), (batch)
  const auto bend = [](const at::Tensor& t, const at::Tensor& b) { return at::tanh(at::add(t, b)); };
  int loops[2] = {};
  for (const bool rows : {false, true}) {
    for (const auto& t : net.tensors()) t.detach().normal_().mul_(0.3), t.mutable_grad().reset();
    const auto hidden =
        custom(bend, linear(x, net.w1), net.b1, per_sample = rows, koila::workspace = 0, koila::backward_workspace = 0);
    const auto loss = cross_entropy(linear(hidden, net.w2, net.b2), label);
    auto p = net.copies();
    const auto reference = [&] { return at::cross_entropy_loss(net.reference(p, images), labels); };
    const at::Tensor want = reference();
    want.backward();
    for (const index_t chunk : chunks_of(13)) {
      for (const auto& t : net.tensors()) t.mutable_grad().reset();
      CHECK(relative_error(backward(loss, {.chunk = chunk}, x = images, label = labels), want) < 1e-12);
      for (std::size_t k = 0; k < p.size(); ++k) CHECK(relative_error(net.tensors()[k].grad(), p[k].grad()) < 1e-12);
    }
    loops[rows] = plan(loss, {.chunk = 4}, x = images, label = labels).order.loops;
    auto train = step(loss, sgd{.lr = 0.1}, {.chunk = 4});
    for (int i = 0; i < 3; ++i) {
      for (auto& t : p) t.mutable_grad().reset();
      const at::Tensor now = reference();
      now.backward();
      CHECK(relative_error(train(x = images, label = labels), now) < 1e-12);
      for (auto& t : p) t.detach().sub_(t.grad(), 0.1);
    }
  }
  CHECK(loops[true] < loops[false]);  // each gather ends a loop
}

TEST_CASE("what a callable takes, stated, is what is measured") {
  const input<float64, batch, 8> x{"x"};
  const parameter<float64, 8> w{"w"};
  set(w, at::randn({8}, at::kDouble));
  const at::Tensor values = at::randn({64, 8}, at::kDouble);  // (batch, 8)
  constexpr index_t bytes = 64 * 8 * 8;
  const auto check = [&](const auto& y, bool exactly) {
    const auto loss = sum(y);
    for (const index_t chunk : {64, 16}) {
      tensor_of(w).mutable_grad().reset();
      const index_t predicted = plan(loss, {.chunk = chunk}, x = values).peak_bytes();
      const measure m;
      backward(loss, {.chunk = chunk}, x = values);
      CAPTURE(chunk, predicted, m.peak());
      CHECK(predicted >= m.peak());
      if (exactly) CHECK(predicted == m.peak());
    }
  };
  // In backward, the workspace contains the product before it is summed to the dims of w.
  const auto product = [](const at::Tensor& a, const at::Tensor& b) { return at::mul(a, b); };
  check(custom(product, x, w, backward_workspace = bytes, koila::workspace = 0), true);
  const auto two = [](const at::Tensor& a, const at::Tensor& b) { return at::sigmoid(at::mul(a, b)); };
  check(custom(two, x, w, workspace = bytes, backward_workspace = 2 * bytes), false);
  check(custom(product, x, w, per_sample = true, backward_workspace = bytes, koila::workspace = 0), false);
  const auto value = custom([](const at::Tensor& a) { return at::exp(at::sigmoid(a)); }, x, workspace = bytes);
  const index_t predicted = plan(value, x = values).peak_bytes();
  const measure m;
  (void)run(value, x = values);
  CHECK(m.peak() == predicted);
}

TEST_CASE("one handle on the same operands is computed once, two calls twice") {
  auto calls = std::make_shared<int>(0);
  const auto f = [calls](const at::Tensor& t) {
    *calls += t.is_meta() ? 0 : 1;
    return at::exp(t);
  };
  const input<float64, batch, 3> x{"x"};
  const at::Tensor values = at::randn({5, 3}, at::kDouble);
  const auto count = [&](const auto& y) {
    *calls = 0;
    CHECK(relative_error(run(y, {.chunk = 5}, x = values), values.exp() * 2) < 1e-14);
    return *calls;
  };
  const auto y = custom(f, x, koila::workspace = 0, koila::backward_workspace = 0);
  CHECK(count(y + y) == 1);
  CHECK(count(custom(f, x, koila::workspace = 0, koila::backward_workspace = 0) +
              custom(f, x, koila::workspace = 0, koila::backward_workspace = 0)) == 2);
  const auto h = make_opaque<1>(f);
  CHECK(count(custom(h, x, koila::workspace = 0, koila::backward_workspace = 0) +
              custom(h, x, koila::workspace = 0, koila::backward_workspace = 0)) == 1);
  CHECK(count(custom(h, x, koila::workspace = 0, koila::backward_workspace = 0) +
              custom(h, x, per_sample = true, koila::workspace = 0, koila::backward_workspace = 0)) == 2);
}

TEST_CASE("what a callable throws passes through, and everything is as before") {
  struct own_error : std::runtime_error {
    using runtime_error::runtime_error;
  };
  auto left = std::make_shared<int>(-1);
  const auto f = [left](const at::Tensor& t, const at::Tensor& w) {
    if (!t.is_meta() && *left > 0 && --*left == 0) throw own_error("of the user's");
    return at::mm(t, w);
  };
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 4, 4> a{"a"}, b{"b"};
  set(a, at::randn({4, 4}, at::kDouble)), set(b, at::randn({4, 4}, at::kDouble));
  const at::Tensor values = at::randn({6, 4}, at::kDouble);  // (batch, 4)
  const auto loss =
      mean(custom(f, tanh(custom(f, x, a, per_sample = true, koila::workspace = 0, koila::backward_workspace = 0)), b,
                  per_sample = true, koila::workspace = 0, koila::backward_workspace = 0));
  backward(loss, x = values);
  const std::vector<at::Tensor> parameters{tensor_of(a), tensor_of(b)};
  std::vector<at::Tensor> before, gradients;
  for (const auto& t : parameters) before.push_back(t.detach().clone()), gradients.push_back(t.grad().clone());
  auto train = step(loss, sgd{.lr = 0.1, .momentum = 0.9}, {.chunk = 2});
  const auto always_fails = [&](const auto& attempt) {
    int failures = 0;
    for (int n = 1;; ++n) {
      *left = n;
      const measure m;
      try {
        attempt();
      } catch (const own_error& e) {
        ++failures;
        CHECK(std::string(e.what()) == "of the user's");
        for (std::size_t k = 0; k < 2; ++k) {
          CHECK(identical(parameters[k], before[k]));
          CHECK(identical(parameters[k].grad(), gradients[k]));
        }
        continue;
      }
      *left = -1;
      return failures;
    }
  };
  CHECK(always_fails([&] { (void)run(loss, {.chunk = 2}, x = values); }) == 6);
  CHECK(always_fails([&] { (void)run(gradient(loss, a), {.chunk = 2}, x = values); }) > 6);
  CHECK(always_fails([&] { train(x = values); }) > 6);
}

namespace {

/// A LibTorch module that counts its calls on tensors with data.
struct old_net {
  at::Tensor weight = at::randn({3, 4}, at::kDouble).requires_grad_(),
             bias = at::randn({3}, at::kDouble).requires_grad_();
  std::shared_ptr<int> calls = std::make_shared<int>(0);
  auto forward(const at::Tensor& t) const -> at::Tensor {
    *calls += t.is_meta() ? 0 : 1;
    return at::tanh(at::linear(t, weight, bias));
  }
  auto has_no_gradient() const -> bool { return !weight.grad().defined() && !bias.grad().defined(); }
};
constexpr auto to_three = [](const dims& d) -> verdict { return dims({d.e[0], extent(3)}, d.type); };
const auto holds_parameters = Catch::Matchers::ContainsSubstring(
    "custom: the callable uses parameters of its own that require a gradient, which would get none: give them as operands");

}  // namespace

TEST_CASE(
    "trials B2: a callable with parameters of its own is refused where gradients are wanted, and right where none is") {
  const old_net net;
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 4, 4> w{"w"};
  const parameter<float64, 3> scale{"scale"};
  set(w, at::randn({4, 4}, at::kDouble)), set(scale, at::randn({3}, at::kDouble));
  const at::Tensor values = at::randn({6, 4}, at::kDouble);  // (batch, 4)
  const auto f = [net](const at::Tensor& t) { return net.forward(t); };
  const auto refuses = [&](const auto& loss, const auto& at_leaf) {
    const at::Tensor before = tensor_of(scale).detach().clone();
    at::manual_seed(1);
    const at::Tensor next = at::rand({2});
    at::manual_seed(1);
    for (const index_t chunk : {2, 6}) {
      CHECK_THROWS_WITH(backward(loss, {.chunk = chunk}, x = values), holds_parameters);
      CHECK_THROWS_WITH(run(gradient(loss, at_leaf), {.chunk = chunk}, x = values), holds_parameters);
      auto train = step(loss, sgd{.lr = 0.1, .momentum = 0.9}, {.chunk = chunk});
      CHECK_THROWS_WITH(train(x = values), holds_parameters);
      CHECK_THROWS_WITH(train(x = values), holds_parameters);
    }
    CHECK(identical(tensor_of(scale), before));
    CHECK(!tensor_of(scale).grad().defined());
    CHECK(!tensor_of(w).grad().defined());
    CHECK(net.has_no_gradient());
    CHECK(at::equal(at::rand({2}), next));
  };
  const auto evaluates = [&](const auto& loss, const at::Tensor& want) {
    CHECK(relative_error(run(loss, {.chunk = 2}, x = values), want) < 1e-14);
    const at::NoGradGuard none;
    CHECK(relative_error(run(loss, {.chunk = 6}, x = values), want) < 1e-14);
  };
  const at::Tensor of_x = net.forward(values).detach(), plain = tensor_of(scale).detach().clone();
  for (const bool rows : {false, true}) {
    const auto y = custom(f, x, rule = to_three, per_sample = rows, workspace = 4096, backward_workspace = 4096);
    refuses(sum(y * scale), scale);
    evaluates(sum(y * scale), (of_x * plain).sum());
    refuses(sum(erased<float64, batch, 3>(y) * scale), scale);
    refuses(erased<dtype::unknown, unranked>(sum(let(y) * scale)), scale);
    // The same holds for a callable between koila's parameters, and for a run of the gradient
    // alone.
    const auto inner =
        custom(f, linear(x, w), rule = to_three, per_sample = rows, workspace = 4096, backward_workspace = 4096);
    refuses(sum(inner * scale), w);
    refuses(sum(inner) + sum(scale), w);
    evaluates(sum(inner) + sum(scale), net.forward(at::linear(values, tensor_of(w))).sum().detach() + plain.sum());
  }
  SECTION("a captured parameter of koila's") {
    const auto own = [&](const at::Tensor& t) { return at::mul(t, tensor_of(scale)); };
    const input<float64, batch, 3> z{"z"};
    const auto loss = sum(custom(own, z, rule = [](const dims& d) { return d; }, workspace = 4096) * scale);
    CHECK_THROWS_WITH(backward(loss, z = of_x), holds_parameters);
  }
  SECTION("ops of koila's with parameters in the callable, at once or by run") {
    const parameter<float64, 3, 4> weight{"weight"};
    set(weight, at::randn({3, 4}, at::kDouble));
    const auto at_once = [&](const at::Tensor& t) -> at::Tensor { return linear(t, weight); };
    const auto by_run = [&](const at::Tensor& t) { return run(linear(lazy<batch>(t), weight)); };
    const auto check = [&](const auto& own) {
      for (const bool rows : {false, true}) {
        const auto y = custom(own, x, rule = to_three, per_sample = rows, workspace = 4096, backward_workspace = 4096);
        CHECK_THROWS_WITH(backward(sum(y * scale), x = values), holds_parameters);
        CHECK_NOTHROW(run(sum(y * scale), x = values));
        CHECK_NOTHROW(backward(sum(detach(y) * scale), x = values));
      }
      const auto inner = custom(own, linear(x, w), rule = to_three, workspace = 4096, backward_workspace = 4096);
      CHECK_THROWS_WITH(backward(sum(inner * scale), x = values), holds_parameters);
      const auto without = [&](const at::Tensor& t) {
        const at::NoGradGuard none;
        return own(t);
      };
      CHECK_NOTHROW(backward(sum(custom(without, x, rule = to_three, workspace = 4096) * scale), x = values));
    };
    check(at_once);
    check(by_run);
    CHECK(!tensor_of(weight).grad().defined());
  }
  SECTION("before anything runs, where the callable takes tensors without data") {
    const at::Tensor factor = at::tensor(2.0, at::kDouble).requires_grad_();
    auto calls = std::make_shared<int>(0);
    const auto scaled = [=](const at::Tensor& t) {
      *calls += t.is_meta() ? 0 : 1;
      return at::mul(t, factor.to(t.device()));
    };
    const auto loss = sum(linear(custom(scaled, x, workspace = 4096), w));
    const measure m;
    auto train = step(loss, sgd{.lr = 0.1});
    CHECK_THROWS_WITH(backward(loss, x = values), holds_parameters);
    CHECK_THROWS_WITH(train(x = values), holds_parameters);
    CHECK_THROWS_WITH(train.plan(x = values), holds_parameters);
    CHECK_THROWS_WITH(plan(loss, x = values), holds_parameters);
    CHECK_THROWS_WITH(run(gradient(loss, w), x = values), holds_parameters);
    CHECK(*calls == 0);
    CHECK(m.peak() == 0);
    CHECK(relative_error(run(loss, x = values), at::linear(values * 2, tensor_of(w)).sum().detach()) < 1e-14);
  }
}

TEST_CASE(
    "trials B2: parameters that are operands, frozen, used without autograd or behind detach are no reason to refuse") {
  const old_net net;
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 3> scale{"scale"};
  set(scale, at::randn({3}, at::kDouble));
  const at::Tensor values = at::randn({6, 4}, at::kDouble);  // (batch, 4)
  const at::Tensor of_x = net.forward(values).detach();
  const auto right = [&](const auto& y) {
    tensor_of(scale).mutable_grad() = at::Tensor();
    backward(sum(y * scale), {.chunk = 4}, x = values);
    CHECK(relative_error(tensor_of(scale).grad(), of_x.sum(0)) < 1e-13);
    CHECK(net.has_no_gradient());
  };
  const auto f = [net](const at::Tensor& t) { return net.forward(t); };
  right(detach(custom(f, x, rule = to_three, workspace = 4096)));
  right(custom(
      [net](const at::Tensor& t) {
        const at::NoGradGuard none;
        return net.forward(t);
      },
      x, rule = to_three, workspace = 4096));
  {
    const at::NoGradGuard none;  // now no tensor of LibTorch's requires a gradient
    right(custom(f, x, rule = to_three, workspace = 4096));
  }
  const parameter<float64, 3, 4> weight{"weight"};
  const parameter<float64, 3> bias{"bias"};
  set(weight, net.weight), set(bias, net.bias);
  const auto given = custom(
      [](const at::Tensor& t, const at::Tensor& a, const at::Tensor& b) { return at::tanh(at::linear(t, a, b)); }, x,
      weight, bias,
      rule = [](const dims& d, const dims& a, const dims&) -> verdict { return dims({d.e[0], a.e[0]}, d.type); },
      workspace = 4096, backward_workspace = 4096);
  right(given);
  CHECK(tensor_of(weight).grad().defined());
  // A leaf that the callable itself creates, to differentiate inside, does not count as a
  // parameter.
  const auto slope = [](const at::Tensor& t, const at::Tensor& a) {
    const at::AutoGradMode on(true);
    const at::Tensor here = t.detach().clone().requires_grad_();
    return torch::autograd::grad({at::square(here).mul(a).sum()}, {here}, {}, true, true)[0];
  };
  const parameter<float64, 4> factors{"factors"};
  set(factors, at::randn({4}, at::kDouble));
  const auto slopes = custom(
      slope, x, factors, rule = [](const dims& d, const dims&) { return d; }, workspace = 4096,
      backward_workspace = 8192);
  CHECK(relative_error(run(slopes, x = values), 2 * values * tensor_of(factors).detach()) < 1e-14);
  backward(sum(slopes), x = values);
  CHECK(relative_error(tensor_of(factors).grad(), 2 * values.sum(0)) < 1e-13);
  for (const at::Tensor& t : {net.weight, net.bias}) t.set_requires_grad(false);
  right(custom(f, x, rule = to_three, workspace = 4096));
}

TEST_CASE("trials B2: a callable that runs koila on tensors that require a gradient is refused") {
  const old_net net;
  const input<float64, batch, 4> x{"x"}, bound{"bound"};
  const parameter<float64, 4> scale{"scale"};
  set(scale, at::randn({4}, at::kDouble));
  const at::Tensor values = at::randn({6, 4}, at::kDouble);  // (batch, 4)
  const at::Tensor own = at::randn({4}, at::kDouble).requires_grad_();
  const auto same_dims = [](const dims& d) { return d; };
  const auto called = [&](const auto& f, const auto& operand) {
    return custom(f, operand, rule = same_dims, workspace = 1 << 16, backward_workspace = 1 << 16);
  };
  const auto without_grad_mode = [](const auto& f) {
    return [f](const at::Tensor& t) {
      const at::NoGradGuard none;
      return f(t);
    };
  };
  const auto accepted = [&](const auto& f, const at::Tensor& want) {
    tensor_of(scale).mutable_grad() = at::Tensor();
    CHECK_NOTHROW(backward(sum(called(f, x) * scale), x = values));
    CHECK(relative_error(tensor_of(scale).grad(), want.detach().sum(0)) < 1e-13);
  };
  const auto refused = [&](const auto& f, const at::Tensor& want) {
    tensor_of(scale).mutable_grad() = at::Tensor();
    CHECK_THROWS_WITH(backward(sum(called(f, x) * scale), x = values), holds_parameters);
    CHECK_THROWS_WITH(backward(sum(called(f, x * scale)), x = values), holds_parameters);
    CHECK_THROWS_WITH(step(sum(called(f, x) * scale), sgd{.lr = 0.1})(x = values), holds_parameters);
    CHECK(!tensor_of(scale).grad().defined());
    CHECK(relative_error(run(called(f, x), x = values), want.detach()) < 1e-13);
    accepted(without_grad_mode(f), want);
  };
  refused([=](const at::Tensor& t) { return run(lazy(t) * lazy(own)); }, values * own);
  refused([=](const at::Tensor& t) { return t + run(lazy(t) * lazy(own * 2)); }, values + values * own * 2);
  refused([=](const at::Tensor& t) { return run(lazy(t) * bound, bound = own.expand({6, 4})); }, values * own);
  refused([=](const at::Tensor& t) { return at::Tensor(lazy(t) + lazy(own)); }, values + own);
  // A callable in an expression that the callable runs is also refused.
  const auto squared = [=](const at::Tensor& t) { return at::square(t).mul(own); };
  refused([=](const at::Tensor& t) { return run(custom(squared, lazy(t), rule = same_dims, workspace = 4096)); },
          at::square(values).mul(own));
  const auto inner = [=](const at::Tensor& t) { return run(lazy(t) * lazy(own)); };
  refused([=](const at::Tensor& t) { return run(custom(inner, lazy(t), rule = same_dims, workspace = 4096)); },
          values * own);
  // A tensor through which no gradient flows does not count as a parameter.
  accepted([=](const at::Tensor& t) { return run(lazy(t) * detach(lazy(own))); }, values * own);
  accepted([=](const at::Tensor& t) { return run(lazy(t) * lazy(own.detach())); }, values * own);
  accepted([=](const at::Tensor& t) { return t.mul(run(gt(lazy(own), 0))); }, values * own.detach().gt(0));
  accepted(
      [=](const at::Tensor& t) {
        const at::Tensor mine = t.detach().clone().requires_grad_();
        return run(lazy(t) * lazy(mine));
      },
      values * values);
  CHECK(!own.grad().defined());
}

TEST_CASE("trials B2: a callable that uses the value of a backward or a step is refused") {
  const input<float64, batch, 4> x{"x"}, inner{"inner"};
  const parameter<float64, 4> own{"own"}, scale{"scale"};
  for (const auto& p : {own, scale}) set(p, at::randn({4}, at::kDouble));
  const at::Tensor values = at::randn({6, 4}, at::kDouble);  // (batch, 4)
  const auto loss = [&](const auto& f) {
    return sum(
        custom(
            f, x * 2, rule = [](const dims& d) { return d; }, workspace = 1 << 16, backward_workspace = 1 << 16) *
        scale);
  };
  const auto inner_loss = mean(square(inner * own));
  const auto of_backward = [=](const at::Tensor& t) { return t * backward(inner_loss, inner = t); };
  const auto of_step = [=](const at::Tensor& t) { return t * step(inner_loss, sgd{.lr = 0.0})(inner = t); };
  const auto check = [&](const auto& f) {
    const at::Tensor before = tensor_of(scale).clone();
    CHECK_THROWS_WITH(backward(loss(f), x = values), holds_parameters);
    CHECK_THROWS_WITH(step(loss(f), sgd{.lr = 0.1})(x = values), holds_parameters);
    CHECK(!tensor_of(scale).grad().defined());
    CHECK(at::equal(tensor_of(scale), before));
    const auto without_grad_mode = [=](const at::Tensor& t) {
      const at::NoGradGuard none;
      return f(t);
    };
    backward(loss(without_grad_mode), x = values);
    const at::Tensor factor = (2 * values * tensor_of(own).detach()).square().mean();
    CHECK(relative_error(tensor_of(scale).grad(), (2 * values * factor).sum(0)) < 1e-13);
    tensor_of(scale).mutable_grad() = at::Tensor();
  };
  check(of_backward);
  check(of_step);
}

TEST_CASE("trials B2: a callable that gives koila's run an operand with a gradient is refused") {
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 4> w{"w"};
  set(w, at::randn({4}, at::kDouble));
  const at::Tensor values = at::randn({6, 4}, at::kDouble);  // (batch, 4)
  const auto loss = [&](const auto& f) {
    return sum(custom(f, x * w, rule = [](const dims& d) { return d; }, workspace = 4096, backward_workspace = 4096));
  };
  const auto message =
      Catch::Matchers::StartsWith("custom: the callable gives operand 0 to koila's run, which passes no");
  const auto half_lost = [](const at::Tensor& t) { return t * 2 + run(square(lazy(t))); };
  for (const bool with_autograd : {true, false}) {
    const at::AutoGradMode mode(with_autograd);
    CHECK_THROWS_WITH(backward(loss(half_lost), x = values), message);
    CHECK(!tensor_of(w).grad().defined());
  }
  CHECK_THROWS_WITH(backward(loss([](const at::Tensor& t) { return run(square(lazy(t * 2))); }), x = values), message);
  backward(loss([](const at::Tensor& t) { return t * 2 + run(square(lazy(t.detach()))); }), x = values);
  CHECK(relative_error(tensor_of(w).grad(), 2 * values.sum(0)) < 1e-13);
}

TEST_CASE("trials B2: on plain tensors a callable is LibTorch's, with its autograd") {
  const old_net net;
  const parameter<float64, 3> scale{"scale"};
  set(scale, at::randn({3}, at::kDouble));
  const auto f = [net](const at::Tensor& t, const at::Tensor& s) { return net.forward(t) * s; };
  const at::Tensor x = at::randn({6, 4}, at::kDouble).requires_grad_(), same = x.detach().clone().requires_grad_();
  const at::Tensor y = custom(f, x, scale);
  const at::Tensor s = tensor_of(scale).detach().clone().requires_grad_();
  const at::Tensor weight = net.weight.detach().clone().requires_grad_(),
                   bias = net.bias.detach().clone().requires_grad_();
  const at::Tensor want = at::tanh(at::linear(same, weight, bias)) * s;
  CHECK(at::equal(y, want));
  y.square().sum().backward();
  want.square().sum().backward();
  CHECK(at::equal(x.grad(), same.grad()));
  CHECK(at::equal(net.weight.grad(), weight.grad()));
  CHECK(at::equal(net.bias.grad(), bias.grad()));
  CHECK(at::equal(tensor_of(scale).grad(), s.grad()));
  CHECK(*net.calls == 1);
  // In eager calls, too, operands are contiguous and rules are checked.
  const auto of_dense = [](const at::Tensor& t) {
    REQUIRE(t.is_contiguous());
    return t * t.sum().item<double>();  // item() throws for a tensor without data
  };
  const at::Tensor transposed = at::randn({4, 6}, at::kDouble).t();
  CHECK(
      at::equal(custom(of_dense, transposed), transposed.contiguous() * transposed.contiguous().sum().item<double>()));
  CHECK_THROWS_WITH(custom([](const at::Tensor& t) { return t.sum(); }, transposed, per_sample = true),
                    Catch::Matchers::ContainsSubstring("the result has a row along dim 0 for each of an operand"));
  CHECK_THROWS_WITH(
      custom([](const at::Tensor& t) { return t.t(); }, transposed, rule = [](const dims& d) { return d; }),
      Catch::Matchers::ContainsSubstring("the callable returns float64[4, 6], of which was known float64[6, 4]"));
  CHECK_THROWS_WITH(custom([](const at::Tensor&) { return at::Tensor(); }, transposed),
                    "custom: the callable returns no tensor");
}

TEST_CASE("trials B2: a callable that draws random numbers is refused where a gradient is asked through it") {
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 4> w{"w"}, scale{"scale"};
  const at::Tensor values = at::randn({6, 4}, at::kDouble);  // (batch, 4)
  set(w, at::randn({4}, at::kDouble)), set(scale, at::randn({4}, at::kDouble));
  const auto drops = [](const at::Tensor& t) { return at::dropout(t, 0.5, true); };
  const auto y = custom(drops, x * w, workspace = 4096, backward_workspace = 4096);
  at::manual_seed(3);
  const at::Tensor next = at::rand({2});
  at::manual_seed(3);
  for (const index_t chunk : {0, 2}) {
    CHECK_THROWS_WITH(backward(sum(y * scale), {.chunk = chunk}, x = values),
                      Catch::Matchers::ContainsSubstring("custom: the callable draws random numbers"));
    auto train = step(sum(y * scale), sgd{.lr = 0.1}, {.chunk = chunk});
    CHECK_THROWS_WITH(train(x = values),
                      Catch::Matchers::ContainsSubstring("custom: the callable draws random numbers"));
  }
  CHECK(at::equal(at::rand({2}), next));
  CHECK(!tensor_of(w).grad().defined());
  CHECK_NOTHROW(run(y, x = values));
  CHECK_NOTHROW(backward(sum(detach(y) * scale), x = values));
  // LibTorch draws normal samples in pairs. Drawing the second one of a pair does not change the
  // engine's state.
  const auto one_normal = [](const at::Tensor& t) { return t * at::randn({1}, at::kDouble); };
  const auto noisy =
      custom(one_normal, x * w, rule = [](const dims& d) { return d; }, workspace = 4096, backward_workspace = 4096);
  (void)at::randn({1}, at::kDouble);
  for (int call = 0; call < 2; ++call) {
    CHECK_THROWS_WITH(backward(sum(noisy), x = values), Catch::Matchers::ContainsSubstring("draws random numbers"));
    (void)at::randn({1}, at::kDouble);
  }
  const auto keeps = [](const at::Tensor& t) { return at::dropout(t, 0.5, false); };
  CHECK_NOTHROW(backward(sum(custom(keeps, x * w, workspace = 4096, backward_workspace = 4096)), x = values));
}

TEST_CASE("trials B2: a callable that writes to its operands is refused") {
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 4> w{"w"};
  const at::Tensor values = at::randn({6, 4}, at::kDouble);  // (batch, 4)
  const at::Tensor before = values.clone();
  const auto writes = [](const at::Tensor& a, const at::Tensor& b) { return b.relu_() + a; };
  const auto message = Catch::Matchers::StartsWith("custom: the callable writes to operand 1");
  const auto found = custom(writes, w, x, workspace = 4096, backward_workspace = 4096);
  CHECK_THROWS_WITH(run(found, x = values), message);
  CHECK_THROWS_WITH(backward(sum(found), x = values), message);
  CHECK(identical(values, before));  // the mistake was found with tensors that have no data
  const auto stated = custom(
      writes, w, x, rule = [](const dims&, const dims& d) { return d; }, workspace = 4096, backward_workspace = 4096);
  CHECK_THROWS_WITH(run(stated, x = values.clone()), message);
  CHECK_THROWS_WITH(backward(sum(stated), x = values.clone()), message);
  const auto copies = [](const at::Tensor& a, const at::Tensor& b) { return b.clone().relu_() + a; };
  CHECK_NOTHROW(run(custom(copies, w, x, workspace = 4096), x = values));
}
