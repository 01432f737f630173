// SPDX-License-Identifier: MIT
#include "pch.hpp"

using namespace koila;

// Variables, functions and a struct of the program, in the global namespace.
namespace {

const at::Tensor t = at::rand({5, 3});
struct value {
  int n = 2;
};
auto list(int n) { return std::vector<int>(static_cast<std::size_t>(n), n); }
auto steps() { return 3; }
auto p(const auto& x) { return x * 0.5; }
int scaled = 4, work = 5;

}  // namespace

TEST_CASE("variables of the program in the global namespace are not ambiguous with koila's names") {
  const input<batch, 3> x{"x"};
  const at::Tensor half = run(p(x), x = t);
  CHECK(half.equal(t * 0.5));
  CHECK(list(value{}.n).size() == 2);
  CHECK(steps() + scaled + work == 12);
  CHECK(run(ops::t(lazy<5, 3>(t))).equal(t.t()));
  CHECK(run(norm(x, ops::p = 1), x = t).allclose(t.abs().sum()));
  CHECK(run(linspace(0, 1, ops::steps = 3)).equal(at::linspace(0, 1, 3)));
}
