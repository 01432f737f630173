// SPDX-License-Identifier: MIT
// bmm: both operands must have three dims.
// sentence: bmm: [batch, 16, 32] x [32, 16]: no rule for these ranks
// reason: no_rule_for_these_ranks
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 16, 32> q{"q"};
  parameter<32, 16> w{"w"};
#ifdef MISTAKE
  auto y = bmm(q, w);
#else
  auto y = matmul(q, w);
#endif
}
