// SPDX-License-Identifier: MIT
// matmul does not take scalars.
// sentence: matmul: [batch, 128] x []: no rule for these ranks
// reason: no_rule_for_these_ranks
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 128> x{"x"};
  input<> factor{"factor"};
#ifdef MISTAKE
  auto y = matmul(x, factor);
#else
  auto y = x * factor;
#endif
}
