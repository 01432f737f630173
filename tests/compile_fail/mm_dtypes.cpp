// SPDX-License-Identifier: MIT
// mm: both operands must have one dtype, as in LibTorch.
// sentence: mm: int64[3, 4] x [4, 5]: dtypes differ
// reason: dtypes_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<int64, 3, 4> x{"x"};
  input<int64, 4, 5> y{"y"};
  input<4, 5> wrong{"wrong"};
#ifdef MISTAKE
  auto z = mm(x, wrong);
#else
  auto z = mm(x, y);
#endif
}
