// SPDX-License-Identifier: MIT
// The axis `batch` is not equal to any other axis.
// sentence: add: [batch, 3] x [seq, 3]: not broadcastable
// reason: not_broadcastable
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

inline constexpr struct seq : axis<seq> {
  using axis::operator=;
} seq;

int main() {
  input<batch, 3> x{"x"};
  input<seq, 3> y{"y"};
  input<batch, 3> z{"z"};
#ifdef MISTAKE
  auto w = x + y;
#else
  auto w = x + z;
#endif
}
