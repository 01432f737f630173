// SPDX-License-Identifier: MIT
// reshape can infer at most one size.
// sentence: reshape: [batch, 784] to [?, ?]: one size at most may be -1
// reason: one_size_at_most_may_be_inferred
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
#ifdef MISTAKE
  auto y = reshape(x, -1_c, -1_c);
#else
  auto y = reshape(x, batch, -1_c);
#endif
}
