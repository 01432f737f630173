// SPDX-License-Identifier: MIT
// matmul does not take booleans, as in LibTorch.
// sentence: matmul: bool[batch, 3] x bool[3, 4]: no rule for booleans
// reason: no_rule_for_booleans
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<boolean, batch, 3> x{"x"};
  input<boolean, 3, 4> y{"y"};
#ifdef MISTAKE
  auto z = matmul(x, y);
#else
  auto z = matmul(x * 1, y * 1);
#endif
}
