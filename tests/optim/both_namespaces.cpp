// SPDX-License-Identifier: MIT
#include <torch/types.h>

#include "pch.hpp"

namespace both_namespaces {

using namespace koila;
using namespace torch;

/// A user's helper whose name koila's headers also use internally.
auto scaled(const auto& x) { return x * 2.0; }

TEST_CASE("a program uses koila's and LibTorch's namespaces, and names of its own that koila has too") {
  const input<batch, 3> x{"x"};
  const parameter<3, 2> w{"w"};
  const Tensor t = torch::rand({5, 3}), value = torch::rand({2});
  const std::vector<Tensor> list{t, value};
  const int steps = 3, work = 2;
  const double p = 0.5;
  CHECK(torch::allclose(run(scaled(koila::matmul(x, w)), x = t), torch::matmul(t, tensor_of(w)) * work));

  auto train = step(koila::mean(koila::square(koila::matmul(x, w))), sgd{.lr = p});
  const Tensor before = tensor_of(w).detach().clone();
  for (int i = 0; i < steps; ++i) train(x = list[0]);
  Tensor theirs = before.clone().requires_grad_();
  for (int i = 0; i < steps; ++i) {
    t.matmul(theirs).square().mean().backward();
    theirs.data().sub_(theirs.grad(), p);
    theirs.mutable_grad().reset();
  }
  CHECK(torch::allclose(tensor_of(w), theirs));
}

}  // namespace both_namespaces
