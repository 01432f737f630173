// SPDX-License-Identifier: MIT
// mean takes only floating-point numbers, as in LibTorch.
// sentence: mean: int64[batch]: not a floating-point dtype
// reason: not_a_floating_type
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<int64, batch> x{"x"};
  input<batch> y{"y"};
#ifdef MISTAKE
  auto z = mean(x);
#else
  auto z = mean(y);
#endif
}
