// SPDX-License-Identifier: MIT
// An op that exists in both libraries is ambiguous after `using namespace` for both.
// expect: reference to .linear. is ambiguous
// max_lines: 15
#include <koila/ops.hpp>

#include <ATen/ops/linear.h>

using namespace koila;
using namespace at;  // whose names are torch's, too

int main() {
  input<batch, 3> x{"x"};
  parameter<2, 3> w{"w"};
#ifdef MISTAKE
  auto y = linear(x, w);
#else
  auto y = koila::linear(x, w);
#endif
}
