// SPDX-License-Identifier: MIT
// linear: the input must have at least one dim.
// sentence: linear: [] x [512, 784]: no rule for these ranks
// reason: no_rule_for_these_ranks
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<784> x{"x"};
  parameter<512, 784> w{"w"};
#ifdef MISTAKE
  auto y = linear(sum(x), w);
#else
  auto y = linear(x, w);
#endif
}
