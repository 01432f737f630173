// SPDX-License-Identifier: MIT
// operator+: each pair of dims must be equal, or one of them must be 1.
// sentence: add: [batch, 512] x [10]: not broadcastable
// reason: not_broadcastable
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  parameter<512> b{"b"};
  parameter<10> wrong{"wrong"};
#ifdef MISTAKE
  auto y = x + wrong;
#else
  auto y = x + b;
#endif
}
