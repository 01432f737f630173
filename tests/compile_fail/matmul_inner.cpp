// SPDX-License-Identifier: MIT
// matmul: the inner dims must be equal.
// sentence: matmul: [batch, 128] x [64, 10]: inner dimensions differ
// reason: inner_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 128> x{"x"};
  parameter<128, 10> w{"w"};
  parameter<64, 10> wrong{"wrong"};
#ifdef MISTAKE
  auto y = matmul(x, wrong);
#else
  auto y = matmul(x, w);
#endif
}
