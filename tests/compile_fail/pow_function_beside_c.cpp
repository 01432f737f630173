// SPDX-License-Identifier: MIT
// pow, if the C library's overloads of that name are declared as well: clang lists all of them.
// expect: not_broadcastable
// sentence: pow: [batch, 512] x [batch, 10]: not broadcastable
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
  auto z = pow(x, wrong);
#else
  auto z = pow(x, y);
#endif
}
