// SPDX-License-Identifier: MIT
// max: a dim that is given must exist.
// sentence: max: [batch, 10], dim 2: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = max(x, dim = 2_c);
#else
  auto y = max(x, dim = 1_c);
#endif
}
