// SPDX-License-Identifier: MIT
// bmm does not broadcast, not even a batch dim of 1.
// sentence: bmm: [batch, 16, 32] x [1, 32, 16]: batch dimensions differ
// reason: batch_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 16, 32> q{"q"};
  input<1, 32, 16> k{"k"};
#ifdef MISTAKE
  auto y = bmm(q, k);
#else
  auto y = matmul(q, k);
#endif
}
