// Callables as ops: in models, steps and chunks; what they take; what happens when they throw.
#include <koila/ops/custom.hpp>

#include "run/support.hpp"

using namespace koila;
using namespace test;

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
  CHECK(loops[true] < loops[false]);  // gathering ends a loop
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
  // In backward the product that is summed to the dims of w.
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
