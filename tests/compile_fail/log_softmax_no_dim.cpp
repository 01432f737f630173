// SPDX-License-Identifier: MIT
// log_softmax needs a dim: there is no default.
// sentence: log_softmax: [batch, 10]: no dim is given
// reason: no_dim_given
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = log_softmax(x);
#else
  auto y = log_softmax(x, dim = -1_c);
#endif
}
