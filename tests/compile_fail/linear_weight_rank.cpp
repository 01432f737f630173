// SPDX-License-Identifier: MIT
// linear: the weight must be a matrix.
// sentence: linear: [batch, 784] x [784]: no rule for these ranks
// reason: no_rule_for_these_ranks
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<784> w{"w"};
#ifdef MISTAKE
  auto y = linear(x, w);
#else
  auto y = matmul(x, w);
#endif
}
