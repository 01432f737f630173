// SPDX-License-Identifier: MIT
// An expression has no truth value.
// expect: (could not convert|no viable conversion)
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch> x{"x"};
  auto y = sum(x);
#ifdef MISTAKE
  if (y) return 1;
#else
  if (batch_of(y) >= 0) return 1;
#endif
}
