// SPDX-License-Identifier: MIT
// Optimiser steps and gradients of sums have the same bits on several threads as on one thread.
#include "float32_bound.hpp"
#include "run/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

/// Trains for three steps in chunks on `threads` threads. Returns the weight, and the loss of the
/// last step.
template <dtype T, class O>
auto trained(const O& o, int threads) -> std::pair<at::Tensor, at::Tensor> {
  constexpr int n = 70'001;  // not a multiple of the vector length, so that a thread's part ends within a vector
  at::set_num_threads(threads);
  at::manual_seed(1);
  const parameter<T, n> w{"w"};
  const input<T, batch, n> x{"x"};
  {
    const at::Tensor first = at::randn({n}, scalar_type(T));
    tensor_of(w).detach().copy_(first);
  }
  auto train = step(mean(square(x * w - 0.5)), o, {.memory = 1_GiB, .chunk = 2});
  at::Tensor loss;
  for (int i = 0; i < 3; ++i) loss = train(x = at::randn({5, n}, scalar_type(T))).clone();
  at::set_num_threads(1);
  return {tensor_of(w).detach().clone(), loss};
}

template <class O>
void check_threads(const O& o) {
  const auto check = [&]<dtype T>(std::integral_constant<dtype, T>) {
    const auto [w, loss] = trained<T>(o, 1);
    for (const int threads : {1, 2, 4}) {
      CAPTURE(threads, T == float64);
      const auto [again, loss_again] = trained<T>(o, threads);
      CHECK(same_bits(again, w));
      CHECK(same_bits(loss_again, loss));
    }
  };
  check(std::integral_constant<dtype, float32>{});
  check(std::integral_constant<dtype, float64>{});
}

}  // namespace

TEST_CASE("trials A6: a step of each optimiser has the same bits on any number of threads") {
  check_threads(sgd{.lr = 0.1});
  check_threads(sgd{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true});
  check_threads(adam{.lr = 0.1, .weight_decay = 0.01, .amsgrad = true});
  check_threads(adamw{.lr = 0.1});
  check_threads(rmsprop{.lr = 0.1, .momentum = 0.9, .centered = true});
  check_threads(adagrad{.lr = 0.1});
  check_threads(clip_grad_norm(sgd{.lr = 0.1}, 1e-3));
  check_threads(clip_grad_value(sgd{.lr = 0.1}, 1e-6));
}
