// SPDX-License-Identifier: MIT
// An axis that a user defines is equal only to itself.
// sentence: matmul: [batch, 64, seq] x [batch, heads, 64]: inner dimensions differ
// reason: inner_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

inline constexpr struct seq : axis<seq> {
  using axis::operator=;
} seq;
inline constexpr struct heads : axis<heads> {
  using axis::operator=;
} heads;

int main() {
  input<batch, 64, seq> x{"x"};
  input<batch, seq, 64> y{"y"};
  input<batch, heads, 64> wrong{"wrong"};
#ifdef MISTAKE
  auto z = matmul(x, wrong);
#else
  auto z = matmul(x, y);
#endif
}
