// SPDX-License-Identifier: MIT
// add: broadcasting aligns the last dims.
// sentence: add: [batch, 512] x [batch]: not broadcastable
// reason: not_broadcastable
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  input<batch> s{"s"};
#ifdef MISTAKE
  auto y = x + s;
#else
  auto y = x + reshape(s, batch, 1_c);
#endif
}
