// SPDX-License-Identifier: MIT
// Cotangents have the loss's dtype, leaves can be moved, and a step can be called again after a
// refusal.
#include "run/support.hpp"

using namespace koila;

TEST_CASE("the seed of a gradient promotes as the loss does, not as a C++ number") {
  parameter<float64, 3> w{"w"};
  const auto gradient_of_loss = [&](const auto& loss, const auto&... bindings) {
    tensor_of(w).mutable_grad() = at::Tensor();
    (void)backward(loss, bindings...);
    return tensor_of(w).grad();
  };
  set(w, at::ones({3}, at::kDouble));
  SECTION("float16 below") {
    input<float16, batch> h{"h"};
    const at::Tensor t = at::full({3}, 1e-6, at::kDouble).to(at::kHalf);  // (samples)
    at::Tensor p = at::ones({3}, at::kDouble).requires_grad_();
    (p.sum() / t.sum()).backward();
    CHECK(::test::relative_error(gradient_of_loss(sum(w) / sum(h), h = t), p.grad()) <= 1e-12);
  }
  SECTION("integers") {
    input<int64, batch> n{"n"};
    CHECK(at::equal(gradient_of_loss(sum(w) / sum(n), n = at::ones({3}, at::kLong)),
                    at::full({3}, 1.0 / 3, at::kDouble)));
    CHECK(at::equal(gradient_of_loss(sum(w) * sum(n), n = at::full({1}, 16777217, at::kLong)),
                    at::full({3}, 16777217.0, at::kDouble)));
  }
}

TEST_CASE("a step that memory refused can be tried again") {
  input<batch, 64> x{"x"};
  parameter<64, 64> w{"w"};
  const at::Tensor t = at::randn({8, 64});  // (samples, 64)
  for (const double momentum : {0.0, 0.9}) {
    auto narrow = step(mean(relu(linear(x, w))), sgd{.lr = 0.1, .momentum = momentum}, {.memory = 1000});
    for (int i = 0; i < 3; ++i) CHECK_THROWS_AS(narrow(x = t), memory_error);
    auto train = step(mean(relu(linear(x, w))), sgd{.lr = 0.1, .momentum = momentum}, {.memory = 60000});
    CHECK_THROWS_AS(train(x = at::randn({8, 65})), shape_error);
    CHECK_NOTHROW(train(x = t));
  }
}

TEST_CASE("leaves that are moved") {
  input<batch, 3> x{"x"};
  parameter<4, 3> w{"w"};
  const at::Tensor t = at::ones({2, 3});  // (samples, 3)
  SECTION("into an expression they stay bound by their name") {
    const auto y = relu(std::move(x));
    CHECK(at::equal(run(y, x = t), t));
    CHECK_NOTHROW(run(linear(x, std::move(w)), x = t));
    CHECK(tensor_of(w).size(0) == 4);
  }
  SECTION("elsewhere the moved one says so") {
    const auto v = std::move(w);
    const auto z = std::move(x);
    CHECK(tensor_of(v).size(0) == 4);
    CHECK_THROWS_AS(tensor_of(w), std::logic_error);
    CHECK_THROWS_AS(set(w, at::ones({4, 3})), std::logic_error);
    CHECK_THROWS_AS(run(linear(z, w), z = t), std::logic_error);
    CHECK_THROWS_AS(run(linear(z, v), x = t), std::logic_error);
  }
}

TEST_CASE("a leaf whose tensor was changed behind its back is refused, and runs when it is set again") {
  const input<batch, 6> x{"x"};
  const at::Tensor t = at::rand({3, 6});  // (samples, 6), all positive, so that sums lose little
  {
    const parameter<6> w{"w"};
    set(w, at::ones({6}));
    const auto y = sum(x * w);
    CHECK(::test::relative_error(run(y, x = t), t.sum()) <= 1e-6);
    tensor_of(w).set_data(at::ones({6}, at::kHalf));
    CHECK_THROWS_AS(run(y, x = t), shape_error);
    CHECK_THROWS_AS(step(y, sgd{})(x = t), shape_error);
    set(w, at::ones({6}));
    CHECK(::test::relative_error(run(y, x = t), t.sum()) <= 1e-6);
  }
  at::Tensor held = at::randn({4, 6});
  const auto y = relu(lazy(held)) + 0.5;
  (void)run(y);
  held.t_();
  CHECK_THROWS_AS(run(y), shape_error);
  held.t_();
  CHECK(at::equal(run(y), at::relu(held) + 0.5));
}
