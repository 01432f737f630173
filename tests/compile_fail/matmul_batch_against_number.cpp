// SPDX-License-Identifier: MIT
// matmul: an axis is not equal to any number in the leading dims either, except that 1 broadcasts.
// sentence: matmul: [batch, 16, 32] x [64, 32, 16]: batch dimensions differ
// reason: batch_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 16, 32> x{"x"};
  input<batch, 32, 16> y{"y"};
  parameter<64, 32, 16> w{"w"};
#ifdef MISTAKE
  auto z = matmul(x, w);
#else
  auto z = matmul(x, y);
#endif
}
