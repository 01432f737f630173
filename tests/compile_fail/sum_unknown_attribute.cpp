// SPDX-License-Identifier: MIT
// An op refuses an attribute that it does not have.
// sentence: sum: [batch, 10]: the op has no such attribute
// reason: no_such_attribute
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = sum(x, start_dim = 1_c);
#else
  auto y = sum(x, dim = 1_c);
#endif
}
