// SPDX-License-Identifier: MIT
#include <torch/types.h>

#include "pch.hpp"

using namespace koila;
using namespace torch;

// Names of the program, in the global namespace. An unqualified name is looked up there and in both
// libraries, so none of these may be a name of koila that `using namespace koila` makes visible.
namespace {

double value = 0.5;
int steps = 3;
std::vector<double> list{1, 2, 3};
const double p = 0.25;

struct work {
  double scaled;
};

auto scaled(const auto& x) { return x * value; }

/// LibTorch has a function t, so a program that opens torch cannot have a variable of this name. It
/// can have a function.
auto t(double x) -> double { return x + p; }

}  // namespace

TEST_CASE("names of the program in the global namespace are not ambiguous with koila's") {
  const input<batch, 3> x{"x"};
  const parameter<3, 2> w{"w"};
  const work done{t(value)};
  CHECK(done.scaled == 0.75);
  CHECK(list.size() == static_cast<std::size_t>(steps));
  const Tensor rows = torch::rand({5, 3});
  CHECK(torch::allclose(run(scaled(koila::matmul(x, w)), x = rows), rows.matmul(tensor_of(w)) * value));
  CHECK(run(t(w)).equal(tensor_of(w).t()));

  auto train = step(koila::mean(koila::square(koila::matmul(x, w))), sgd{.lr = p});
  const Tensor before = tensor_of(w).detach().clone();
  for (int i = 0; i < steps; ++i) train(x = rows);
  CHECK_FALSE(torch::equal(before, tensor_of(w)));
}
