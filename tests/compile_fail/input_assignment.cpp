// SPDX-License-Identifier: MIT
// An input cannot be assigned another input: `x = y` would silently rebind x.
// expect: (use of|overload resolution selected) deleted (function|operator)
// max_lines: 10
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
  input<batch, 3> y{"y"};
#ifdef MISTAKE
  x = y;
#else
  auto z = y;
#endif
}
