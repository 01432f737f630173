// SPDX-License-Identifier: MIT
// fmod, if the C library's function of that name is declared as well.
// expect: not_broadcastable
// sentence: fmod: [batch, 512] x [batch, 10]: not broadcastable
// max_lines: 8
#include <math.h>
#include <cmath>

#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  input<batch, 10> wrong{"wrong"};
#ifdef MISTAKE
  auto z = fmod(x, wrong);
#else
  auto z = fmod(x, 2);
#endif
}
