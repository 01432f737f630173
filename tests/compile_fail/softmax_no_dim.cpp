// SPDX-License-Identifier: MIT
// softmax needs a dim: there is no default.
// sentence: softmax: [batch, 10]: no dim is given
// reason: no_dim_given
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = softmax(x);
#else
  auto y = softmax(x, dim = -1_c);
#endif
}
