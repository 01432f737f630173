// SPDX-License-Identifier: MIT
// mse_loss: both shapes must be equal; nothing broadcasts.
// sentence: mse_loss: [batch, 1] x [batch]: shapes differ
// reason: shapes_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 1> x{"x"};
  input<batch> y{"y"};
#ifdef MISTAKE
  auto loss = mse_loss(x, y);
#else
  auto loss = mse_loss(reshape(x, batch), y);
#endif
}
