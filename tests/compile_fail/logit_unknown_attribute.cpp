// SPDX-License-Identifier: MIT
// logit refuses any attribute except eps.
// sentence: logit: [batch, 3]: the op has no such attribute
// reason: no_such_attribute
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
#ifdef MISTAKE
  auto z = logit(x, dim = 1_c);
#else
  auto z = logit(x, eps = 0.1);
#endif
}
