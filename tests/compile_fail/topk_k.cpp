// SPDX-License-Identifier: MIT
// topk: k must not be larger than the dim.
// sentence: topk: [batch, 10], k 11, dim -1: the number is larger than the dim
// reason: number_is_too_large
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
#ifdef MISTAKE
  auto y = topk(x, 11_c);
#else
  auto y = topk(x, 10_c);
#endif
}
