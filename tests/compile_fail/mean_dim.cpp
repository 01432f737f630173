// SPDX-License-Identifier: MIT
// mean: the dim must exist.
// sentence: mean: [batch, 10], dim -3: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = mean(x, dim = -3_c);
#else
  auto y = mean(x, dim = -2_c);
#endif
}
