// SPDX-License-Identifier: MIT
// matmul: both operands must have one dtype, as in LibTorch.
// sentence: matmul: float16[batch, 128] x bfloat16[128, 10]: dtypes differ
// reason: dtypes_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<float16, batch, 128> x{"x"};
  parameter<float16, 128, 10> w{"w"};
  parameter<bfloat16, 128, 10> wrong{"wrong"};
#ifdef MISTAKE
  auto y = matmul(x, wrong);
#else
  auto y = matmul(x, w);
#endif
}
