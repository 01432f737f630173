// SPDX-License-Identifier: MIT
// An op with two operands refuses an attribute that it does not have.
// sentence: cross_entropy: [batch, 10] x int64[batch]: the op has no such attribute
// reason: no_such_attribute
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch> label{"label"};
#ifdef MISTAKE
  auto y = cross_entropy(x, label, dim = 1_c);
#else
  auto y = cross_entropy(x, label, ignore_index = 1_c);
#endif
}
