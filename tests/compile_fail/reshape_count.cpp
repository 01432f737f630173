// SPDX-License-Identifier: MIT
// reshape must keep the number of elements.
// sentence: reshape: [batch, 784] to [batch, 28, 27]: the numbers of elements differ
// reason: element_counts_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
#ifdef MISTAKE
  auto y = reshape(x, batch, 28_c, 27_c);
#else
  auto y = reshape(x, batch, 28_c, 28_c);
#endif
}
