// SPDX-License-Identifier: MIT
// div: each pair of dims must be equal, or one of them must be 1.
// sentence: div: [batch, 512] x [batch, 10]: not broadcastable
// reason: not_broadcastable
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  input<batch, 512> y{"y"};
  input<batch, 10> wrong{"wrong"};
#ifdef MISTAKE
  auto z = div(x, wrong);
#else
  auto z = div(x, y);
#endif
}
