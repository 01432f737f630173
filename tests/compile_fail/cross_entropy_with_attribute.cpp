// SPDX-License-Identifier: MIT
// cross_entropy also refuses a mistake in a call with an attribute.
// sentence: cross_entropy: [batch, 10] x int64[64]: the labels are not one per sample
// reason: labels_are_not_one_per_sample
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch> label{"label"};
  input<int64, 64> wrong{"wrong"};
#ifdef MISTAKE
  auto loss = cross_entropy(x, wrong, ignore_index = -1);
#else
  auto loss = cross_entropy(x, label, ignore_index = -1);
#endif
}
