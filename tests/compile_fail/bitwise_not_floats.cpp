// SPDX-License-Identifier: MIT
// bitwise_not takes only integers and booleans, as in LibTorch.
// sentence: bitwise_not: [batch, 3]: not of integers
// reason: not_integers
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
  input<boolean, batch, 3> y{"y"};
#ifdef MISTAKE
  auto z = bitwise_not(x);
#else
  auto z = bitwise_not(y);
#endif
}
