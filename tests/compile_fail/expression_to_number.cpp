// SPDX-License-Identifier: MIT
// Only item() converts an expression to a number.
// expect: (cannot convert|no viable conversion)
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch> x{"x"};
#ifdef MISTAKE
  double d = sum(x);
#else
  auto d = sum(x);
#endif
}
