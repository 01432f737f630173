// SPDX-License-Identifier: MIT
// bmm: the inner dims must be equal.
// sentence: bmm: [batch, 16, 32] x [batch, 16, 32]: inner dimensions differ
// reason: inner_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 16, 32> q{"q"};
  input<batch, 16, 32> k{"k"};
#ifdef MISTAKE
  auto y = bmm(q, k);
#else
  auto y = bmm(q, transpose(k, 1_c, 2_c));
#endif
}
