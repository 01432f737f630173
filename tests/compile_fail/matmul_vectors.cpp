// SPDX-License-Identifier: MIT
// matmul: two vectors must have the same length.
// sentence: matmul: [3] x [4]: inner dimensions differ
// reason: inner_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<3> x{"x"};
  input<3> y{"y"};
  input<4> wrong{"wrong"};
#ifdef MISTAKE
  auto z = matmul(x, wrong);
#else
  auto z = matmul(x, y);
#endif
}
