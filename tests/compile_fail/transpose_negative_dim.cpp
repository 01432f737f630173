// SPDX-License-Identifier: MIT
// transpose: a negative dim counts from the end, and must exist.
// sentence: transpose: [batch, 3], dims -1 and -3: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
#ifdef MISTAKE
  auto y = transpose(x, dim0 = -1_c, dim1 = -3_c);
#else
  auto y = transpose(x, dim0 = -1_c, dim1 = -2_c);
#endif
}
