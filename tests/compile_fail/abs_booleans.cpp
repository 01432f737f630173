// SPDX-License-Identifier: MIT
// abs does not take booleans, as in LibTorch.
// sentence: abs: bool[batch]: no rule for booleans
// reason: no_rule_for_booleans
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<boolean, batch> x{"x"};
  input<int64, batch> y{"y"};
#ifdef MISTAKE
  auto z = abs(x);
#else
  auto z = abs(y);
#endif
}
