// SPDX-License-Identifier: MIT
// `x = y` between inputs would rebind one in silence.
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
