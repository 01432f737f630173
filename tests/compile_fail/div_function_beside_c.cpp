// SPDX-License-Identifier: MIT
// div, if the C library's overloads of that name are declared as well: clang lists all of them.
// expect: not_broadcastable
// sentence: div: [batch, 512] x [batch, 10]: not broadcastable
// max_lines: 8
#include <math.h>
#include <stdlib.h>
#include <cmath>
#include <complex>
#include <cstdlib>

#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  input<batch, 512> y{"y"};
  input<batch, 10> wrong{"wrong"};
#ifdef MISTAKE
  auto z = div(x, wrong);
#else
  auto z = div(x, y);
#endif
}
