// SPDX-License-Identifier: MIT
// flatten: start_dim must not be after end_dim.
// sentence: flatten: [batch, 28, 28], dims 2 to 1: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 28, 28> x{"x"};
#ifdef MISTAKE
  auto y = flatten(x, start_dim = 2_c, end_dim = 1_c);
#else
  auto y = flatten(x, start_dim = 1_c, end_dim = 2_c);
#endif
}
