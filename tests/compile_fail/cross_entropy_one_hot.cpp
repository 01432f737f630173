// cross_entropy: labels are indices.
// sentence: cross_entropy: [batch, 10] x [batch, 10]: the labels are not int64
// reason: labels_are_not_integers
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch> label{"label"};
  input<batch, 10> one_hot{"one_hot"};
#ifdef MISTAKE
  auto loss = cross_entropy(x, one_hot);
#else
  auto loss = cross_entropy(x, label);
#endif
}
