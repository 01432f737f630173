// SPDX-License-Identifier: MIT
// An input can be bound only to a tensor, not to an expression.
// expect: (use of|overload resolution selected) deleted (function|operator)
// max_lines: 10
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
#ifdef MISTAKE
  x = relu(x);
#else
  auto z = relu(x);
#endif
}
