// SPDX-License-Identifier: MIT
// reshape: the only valid negative size is -1.
// sentence: reshape: [batch, 784] to [batch, ?]: the numbers of elements differ
// reason: element_counts_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
#ifdef MISTAKE
  auto y = reshape(x, batch, -2_c);
#else
  auto y = reshape(x, batch, -1_c);
#endif
}
