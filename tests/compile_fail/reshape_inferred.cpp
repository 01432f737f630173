// SPDX-License-Identifier: MIT
// reshape: the inferred size must be a whole number.
// sentence: reshape: [5, 7] to [?, 4]: the numbers of elements differ
// reason: element_counts_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<5, 7> x{"x"};
#ifdef MISTAKE
  auto y = reshape(x, -1_c, 4_c);
#else
  auto y = reshape(x, -1_c, 7_c);
#endif
}
