// Losses and what they are made of.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<batch, 9> y{"y"};
  input<int64, batch, 10> n{"n"};
  input<int64, batch> label{"label"};
  input<int64, 7> labels{"labels"};
  input<int32, batch> narrow_label{"narrow_label"};
  input<9> weight{"weight"};
#ifdef MISTAKE
  count_labels(label, x, kernel_size = 1_c);  // says: count_labels:
  cross_entropy(x, labels);  // says: cross_entropy:
  cross_entropy(x, narrow_label);  // says: cross_entropy:
  cross_entropy(x, y);  // says: cross_entropy:
  cross_entropy(n, label);  // says: cross_entropy:
  cross_entropy(x, label, weight);  // says: cross_entropy:
  cross_entropy(x, label, label_smoothing = 2_c);  // says: cross_entropy:
  cross_entropy(x, label, reduction = kSame);  // says: cross_entropy:
  label_weights(narrow_label, weight);  // says: label_weights:
  label_weights(label, x);  // says: label_weights:
  mask_labels(x, label);  // says: mask_labels:
  mse_loss(x, y);  // says: mse_loss:
  mse_loss(n, n);  // says: mse_loss:
  mse_loss(x, x, reduction = kSame);  // says: mse_loss:
  nll(x, labels);  // says: nll:
  nll_loss(x, labels);  // says: nll_loss:
  nll_loss(x, label, weight);  // says: nll_loss:
#endif
}
