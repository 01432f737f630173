// SPDX-License-Identifier: MIT
// An axis is not equal to any number, except that 1 broadcasts.
// sentence: add: [batch, 3] x [64, 3]: not broadcastable
// reason: not_broadcastable
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
  parameter<64, 3> w{"w"};
  parameter<1, 3> row{"row"};
#ifdef MISTAKE
  auto y = x + w;
#else
  auto y = x + row;
#endif
}
