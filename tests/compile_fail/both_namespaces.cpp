// SPDX-License-Identifier: MIT
// An op that exists in both libraries is ambiguous after `using namespace` for both.
// expect: reference to .linear. is ambiguous
// max_lines: 15
#include <koila/ops.hpp>

namespace at {  // as LibTorch declares it; torch has all names of at
auto linear(const Tensor&, const Tensor&, const Tensor&) -> Tensor;
}

using namespace koila;
using namespace at;

int main() {
  input<batch, 3> x{"x"};
  parameter<2, 3> w{"w"};
#ifdef MISTAKE
  auto y = linear(x, w);
#else
  auto y = koila::linear(x, w);
#endif
}
