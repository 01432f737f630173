// SPDX-License-Identifier: MIT
// sum: a dim cannot be given twice.
// sentence: sum: [batch, 10], dims (1, -1): a dim is given twice
// reason: dim_given_twice
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = sum(x, list_of(1_c, -1_c));
#else
  auto y = sum(x, list_of(1_c, 0_c));
#endif
}
