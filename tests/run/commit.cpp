// SPDX-License-Identifier: MIT
// Committed gradients and parameters are dense and up to date. A commit changes all of them or
// none.
#include "run/support.hpp"

using namespace koila;

TEST_CASE("a gradient that repeats one number is a tensor of its own elements") {
  parameter<float64, 4> a{"a"}, w{"w"};
  const auto loss = sum(a * a) + exp(sum(w) * 0.1);
  for (int i = 0; i < 2; ++i) backward(loss);  // the second call adds to the first call's gradients
  CHECK(tensor_of(w).grad().is_contiguous());
  CHECK(at::allclose(tensor_of(w).grad(),
                     at::full({4}, 0.2 * std::exp(tensor_of(w).sum().item<double>() * 0.1), at::kDouble)));
  auto train = step(loss, sgd{.lr = 0.1, .weight_decay = 0.1});
  CHECK_NOTHROW(train());
}

TEST_CASE("a step makes a new plan when an input changes of which only the dims are read") {
  parameter<float64, 4> w{"w"};
  set(w, at::ones({4}, at::kDouble));
  input<float64, batch, 4> x{"x"};
  auto train = step(sum(gradient(sum(x * w), x)), sgd{.lr = 0});
  for (const int samples : {3, 6, 2})
    CHECK(train(x = at::randn({samples, 4}, at::kDouble)).item<double>() == 4.0 * samples);
}

TEST_CASE("tensors whose elements overlap are never written to") {
  parameter<float64, 4> a{"a"}, b{"b"};
  input<float64, batch, 4> x{"x"};
  const auto loss = sum(x * a) + sum(x * b);
  const at::Tensor images = at::randn({3, 4}, at::kDouble);  // (3, 4)
  SECTION("a .grad() is refused before anything runs") {
    tensor_of(a).mutable_grad() = at::zeros({4}, at::kDouble);
    tensor_of(b).mutable_grad() = at::zeros({1}, at::kDouble).expand({4});
    CHECK_THROWS_AS(backward(loss, x = images), shape_error);
    CHECK(at::equal(tensor_of(a).grad(), at::zeros({4}, at::kDouble)));
  }
  SECTION("a parameter gets a copy") {
    set(b, at::zeros({1}, at::kDouble).expand({4}));
    auto train = step(loss, sgd{.lr = 1});
    train(x = images);
    CHECK(at::allclose(tensor_of(b), -images.sum(0)));
  }
}
