// SPDX-License-Identifier: MIT
// sum: the dim must exist.
// sentence: sum: [batch, 10], dim -3: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = sum(x, dim = -3_c);
#else
  auto y = sum(x, dim = -2_c);
#endif
}
