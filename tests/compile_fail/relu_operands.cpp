// SPDX-License-Identifier: MIT
// relu takes one operand.
// sentence: relu: [batch, 3] x [batch, 3]: the op takes another number of operands
// reason: wrong_number_of_operands
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
#ifdef MISTAKE
  auto z = relu(x, x);
#else
  auto z = relu(x);
#endif
}
