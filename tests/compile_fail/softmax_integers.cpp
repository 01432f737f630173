// SPDX-License-Identifier: MIT
// softmax takes only floating-point numbers.
// sentence: softmax: int64[batch, 10], dim -1: not a floating-point dtype
// reason: not_a_floating_type
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch, 10> wrong{"wrong"};
#ifdef MISTAKE
  auto y = softmax(wrong, dim = -1_c);
#else
  auto y = softmax(x, dim = -1_c);
#endif
}
