// SPDX-License-Identifier: MIT
// A parameter cannot be assigned another parameter. A copy shares the tensor.
// expect: (use of|overload resolution selected) deleted (function|operator)
// max_lines: 10
#include <koila/ops.hpp>

using namespace koila;

int main() {
  parameter<3, 3> v{"v"};
  parameter<3, 3> w{"w"};
#ifdef MISTAKE
  v = w;
#else
  auto z = w;
#endif
}
