// SPDX-License-Identifier: MIT
// frac takes only floating-point values, as in LibTorch.
// sentence: frac: int64[batch, 3]: not a floating-point dtype
// reason: not_a_floating_type
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<int64, batch, 3> x{"x"};
  input<batch, 3> y{"y"};
#ifdef MISTAKE
  auto z = frac(x);
#else
  auto z = frac(y);
#endif
}
