// SPDX-License-Identifier: MIT
// linear: all operands must have one dtype, as in LibTorch.
// sentence: linear: float64[batch, 784] x [512, 784]: dtypes differ
// reason: dtypes_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  input<float64, batch, 784> doubles{"doubles"};
  parameter<512, 784> w{"w"};
#ifdef MISTAKE
  auto y = linear(doubles, w);
#else
  auto y = linear(x, w);
#endif
}
