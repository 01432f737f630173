// SPDX-License-Identifier: MIT
// linear takes at most three operands.
// sentence: linear: [batch, 784] x [512, 784] x [512] x [512]: the op takes another number of
//    operands
// reason: wrong_number_of_operands
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<512, 784> w{"w"};
  parameter<512> b{"b"};
#ifdef MISTAKE
  auto y = linear(x, w, b, b);
#else
  auto y = linear(x, w, b);
#endif
}
