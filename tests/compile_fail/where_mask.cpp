// SPDX-License-Identifier: MIT
// where: the mask must be boolean.
// sentence: where: [batch, 3] x [batch, 3] x [3]: the mask is not of booleans
// reason: mask_is_not_boolean
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
  parameter<3> b{"b"};
#ifdef MISTAKE
  auto y = where(x, x, b);
#else
  auto y = where(x > 0, x, b);
#endif
}
