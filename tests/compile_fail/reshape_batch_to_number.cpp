// SPDX-License-Identifier: MIT
// reshape cannot replace an axis with a number.
// sentence: reshape: [batch, 784] to [64, 784]: the numbers of elements differ
// reason: element_counts_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
#ifdef MISTAKE
  auto y = reshape(x, 64_c, 784_c);
#else
  auto y = reshape(x, -1_c, 784_c);
#endif
}
