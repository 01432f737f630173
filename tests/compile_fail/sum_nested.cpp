// SPDX-License-Identifier: MIT
// sum of a nested expression, with two attributes.
// sentence: sum: [batch, 10], dim 2: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<10, 784> w{"w"};
#ifdef MISTAKE
  auto y = relu(sum(relu(linear(relu(x), w)), dim = 2_c, keepdim = true));
#else
  auto y = relu(sum(relu(linear(relu(x), w)), dim = 1_c, keepdim = true));
#endif
}
