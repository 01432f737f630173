// SPDX-License-Identifier: MIT
// A parameter whose tensor does not require a gradient is not trained.
#include "run/support.hpp"

using namespace koila;
using namespace ::test;

TEST_CASE("a frozen parameter gets no gradient, no update, and costs no memory") {
  parameter<6, 4> w{"w"};
  parameter<3, 6> v{"v"};
  input<batch, 4> x{"x"};
  const auto loss = mean(square(linear(relu(linear(x, w)), v)));
  const at::Tensor features = at::randn({8, 4});  // (8, 4)
  auto train = step(loss, sgd{.lr = 0.1, .momentum = 0.9});
  const auto moved = [&](const auto& p) {
    const at::Tensor before = tensor_of(p).detach().clone();
    (void)train(x = features);
    return !at::equal(before, tensor_of(p));
  };
  CHECK(moved(w));
  CHECK(moved(v));
  const index_t all = train.plan().peak_bytes(), kept = train.state_bytes();

  tensor_of(w).set_requires_grad(false);
  CHECK(!moved(w));
  CHECK(moved(v));
  CHECK(train.plan().peak_bytes() < all);
  CHECK(train.state_bytes() == kept);  // the momentum of w stays, as in LibTorch
  (void)backward(loss, x = features);
  CHECK(!tensor_of(w).grad().defined());
  CHECK(tensor_of(v).grad().defined());
  set(w, at::randn({6, 4}));  // new values, still frozen
  CHECK(!moved(w));

  tensor_of(w).set_requires_grad(true);
  CHECK(moved(w));
  CHECK(moved(v));
  CHECK(train.plan().peak_bytes() == all);
}

TEST_CASE("a step that was frozen for a while goes on with its momentum") {
  const at::Tensor features = at::randn({8, 4}), first = at::randn({6, 4});  // (8, 4), (6, 4)
  parameter<6, 4> w{"w"};
  parameter<6> b{"b"};
  input<batch, 4> x{"x"};
  set(w, first.clone());
  set(b, at::zeros({6}));
  auto train = step(mean(square(linear(x, w, b))), sgd{.lr = 0.1, .momentum = 0.9});
  const at::Tensor p = first.clone().requires_grad_(), q = at::zeros({6}).requires_grad_();
  at::Tensor along_p = at::zeros_like(p), along_q = at::zeros_like(q);
  for (int i = 0; i < 6; ++i) {
    const bool frozen = i == 2 || i == 3;
    tensor_of(w).set_requires_grad(!frozen);
    (void)train(x = features);
    p.mutable_grad() = q.mutable_grad() = at::Tensor();
    at::linear(features, p, q).square().mean().backward();
    if (!frozen) {
      along_p = 0.9 * along_p + p.grad();
      p.detach().sub_(0.1 * along_p);
    }
    along_q = 0.9 * along_q + q.grad();
    q.detach().sub_(0.1 * along_q);
    CHECK(near(tensor_of(w), p));
    CHECK(near(tensor_of(b), q));
  }
}
