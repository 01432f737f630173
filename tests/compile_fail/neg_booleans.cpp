// SPDX-License-Identifier: MIT
// neg does not take booleans, as in LibTorch.
// sentence: neg: bool[batch]: no rule for booleans
// reason: no_rule_for_booleans
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<boolean, batch> x{"x"};
  input<int64, batch> y{"y"};
#ifdef MISTAKE
  auto z = neg(x);
#else
  auto z = neg(y);
#endif
}
