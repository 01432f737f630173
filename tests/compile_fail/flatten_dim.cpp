// SPDX-License-Identifier: MIT
// flatten: both dims must exist.
// sentence: flatten: [batch, 28, 28], dims 1 to 3: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 28, 28> x{"x"};
#ifdef MISTAKE
  auto y = flatten(x, 1_c, 3_c);
#else
  auto y = flatten(x, 1_c, 2_c);
#endif
}
