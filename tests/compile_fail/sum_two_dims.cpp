// SPDX-License-Identifier: MIT
// sum takes only one dim as a positional argument.
// sentence: sum: [batch, 10]: the op has no such attribute
// reason: no_such_attribute
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = sum(x, 0_c, 1_c);
#else
  auto y = sum(x, 0_c);
#endif
}
