// SPDX-License-Identifier: MIT
// mm: the inner dims must be equal.
// sentence: mm: [batch, 128] x [10, 128]: inner dimensions differ
// reason: inner_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 128> x{"x"};
  parameter<10, 128> w{"w"};
#ifdef MISTAKE
  auto y = mm(x, w);
#else
  auto y = mm(x, transpose(w, 0_c, 1_c));
#endif
}
