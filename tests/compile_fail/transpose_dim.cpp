// SPDX-License-Identifier: MIT
// transpose: both dims must exist.
// sentence: transpose: [batch, 3], dims 0 and 2: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
#ifdef MISTAKE
  auto y = transpose(x, 0_c, 2_c);
#else
  auto y = transpose(x, 0_c, 1_c);
#endif
}
