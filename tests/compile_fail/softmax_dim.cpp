// SPDX-License-Identifier: MIT
// softmax: the dim must exist.
// sentence: softmax: [batch, 10], dim 2: dimension out of range
// reason: dimension_out_of_range
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = softmax(x, 2_c);
#else
  auto y = softmax(x, 1_c);
#endif
}
