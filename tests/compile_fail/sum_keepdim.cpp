// SPDX-License-Identifier: MIT
// sum: the dim must exist, also if keepdim is known only at run time.
// sentence: sum: [batch, 10], dim 2: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = sum(x, dim = 2_c, keepdim = true);
#else
  auto y = sum(x, dim = 1_c, keepdim = true);
#endif
}
