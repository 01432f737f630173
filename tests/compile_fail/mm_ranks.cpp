// SPDX-License-Identifier: MIT
// mm: both operands must be matrices.
// sentence: mm: [batch, 5, 128] x [128, 10]: no rule for these ranks
// reason: no_rule_for_these_ranks
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 5, 128> x{"x"};
  parameter<128, 10> w{"w"};
#ifdef MISTAKE
  auto y = mm(x, w);
#else
  auto y = matmul(x, w);
#endif
}
