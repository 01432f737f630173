// SPDX-License-Identifier: MIT
// matmul: the leading dims must broadcast.
// sentence: matmul: [batch, 8, 16, 32] x [6, 32, 16]: batch dimensions differ
// reason: batch_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 8, 16, 32> x{"x"};
  parameter<8, 32, 16> w{"w"};
  parameter<6, 32, 16> wrong{"wrong"};
#ifdef MISTAKE
  auto y = matmul(x, wrong);
#else
  auto y = matmul(x, w);
#endif
}
