// SPDX-License-Identifier: MIT
// pow does not take booleans, as in LibTorch.
// sentence: pow: bool[batch] x bool[batch]: no rule for booleans
// reason: no_rule_for_booleans
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<boolean, batch> x{"x"};
  input<int64, batch> y{"y"};
#ifdef MISTAKE
  auto z = pow(x, x);
#else
  auto z = pow(x, y);
#endif
}
