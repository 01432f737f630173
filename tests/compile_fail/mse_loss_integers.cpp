// SPDX-License-Identifier: MIT
// mse_loss takes only floating-point numbers.
// sentence: mse_loss: int64[batch] x int64[batch]: not a floating-point dtype
// reason: not_a_floating_type
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<int64, batch> x{"x"};
  input<batch> y{"y"};
#ifdef MISTAKE
  auto loss = mse_loss(x, x);
#else
  auto loss = mse_loss(x, y);
#endif
}
