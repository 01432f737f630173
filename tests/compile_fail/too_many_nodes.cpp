// SPDX-License-Identifier: MIT
// If an expression has more than 1000 nodes, the error message advises to use `let`.
// expect: more than 1000 nodes: name what is used twice with let\(\.\.\.\), and hold the value
//    of a loop in an erased<\.\.\.>
// max_lines: 40
#include <koila/ops.hpp>

using namespace koila;

auto doubled(const auto& x) { return x + x; }

int main() {
  input<batch> x{"x"};
  auto y = doubled(doubled(doubled(doubled(doubled(doubled(doubled(doubled(x))))))));  // 511 nodes
#ifdef MISTAKE
  auto z = doubled(y);
#else
  auto z = doubled(let(y));
#endif
}
