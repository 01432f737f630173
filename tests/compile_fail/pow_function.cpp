// SPDX-License-Identifier: MIT
// pow: each pair of dims must be equal, or one of them must be 1.
// sentence: pow: [batch, 512] x [batch, 10]: not broadcastable
// reason: not_broadcastable
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  input<batch, 512> y{"y"};
  input<batch, 10> wrong{"wrong"};
#ifdef MISTAKE
  auto z = pow(x, wrong);
#else
  auto z = pow(x, y);
#endif
}
