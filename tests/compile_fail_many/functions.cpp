// SPDX-License-Identifier: MIT
// Functions that take an expression, called with something else.
// libtorch
#include <koila/koila.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

void run(long) {}  // for a number, overload resolution must choose this function, not koila's refusal

auto f(const at::Tensor& t) {
  input<batch, 6, 4> x{"x"};
  parameter<10, 4> w{"w"};
  auto loss = sum(linear(x, w));
  auto train = step(loss, sgd{.lr = 0.1}, {.memory = 512_MiB});
  (void)gradient(loss, w), (void)plan(loss, {.memory = 1_GiB}, x = t), (void)backward(loss, x = t), (void)train(x = t);
  (void)run(loss, options{}, x = t), (void)run(loss), run(1);
#ifdef MISTAKE
  gradient(loss, 3);  // says: gradient: not of an expression with respect to a leaf
  gradient(loss, x + x);  // says: gradient: not of an expression with respect to a leaf
  run(t);  // says: run: a value already, not an expression
  plan(2.0);  // says: plan: a value already, not an expression
  run(t, x = t);  // says: run: a value already, not an expression
  run(x + 1, t);  // says: run: an argument is not an input with its tensor, as x = images
  plan(t);  // says: plan: a value already, not an expression
  plan(x + 1, t);  // says: plan: an argument is not an input with its tensor, as x = images
  backward(t);  // says: backward: a value already, not an expression
  backward(loss, 3);  // says: backward: an argument is not an input with its tensor, as x = images
  step(loss, 0.1);  // says: step: the second argument is not an optimiser, such as sgd{.lr = 0.1}
  step(loss, 0.1, {.memory = 512_MiB});  // says: step: the second argument is not an optimiser, such as sgd{.lr = 0.1}
  step(loss);  // says: step: the second argument is not an optimiser, such as sgd{.lr = 0.1}
  step(t, sgd{.lr = 0.1});  // says: step: a value already, not an expression
  train(t);  // says: step: an argument is not an input with its tensor, as x = images
#endif
}
