// SPDX-License-Identifier: MIT
// Losses and the ops from which losses are built.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 10> x{"x"};
  input<batch, 9> y{"y"};
  input<int64, batch, 10> n{"n"};
  input<int64, batch> label{"label"};
  input<int64, 7> labels{"labels"};
  input<int32, batch> narrow_label{"narrow_label"};
  input<9> weight{"weight"};
  input<> scalar{"scalar"};
  input<float64, batch, 10> wide{"wide"};
#ifdef MISTAKE
  count_labels(label, x, kernel_size = 1_c);  // says: count_labels: int64[batch] x [batch, 10]: the op has no such attribute
  cross_entropy(x, labels);  // says: cross_entropy: [batch, 10] x int64[7]: the labels are not one per sample
  cross_entropy(x, narrow_label);  // says: cross_entropy: [batch, 10] x int32[batch]: the labels are not int64
  cross_entropy(x, y);  // says: cross_entropy: [batch, 10] x [batch, 9]: shapes differ
  cross_entropy(n, label);  // says: cross_entropy: int64[batch, 10] x int64[batch]: not a floating-point dtype
  cross_entropy(x, label, weight);  // says: cross_entropy: [batch, 10] x int64[batch] x [9]: the weight is not one number per channel
  cross_entropy(x, label, label_smoothing = 2_c);  // says: cross_entropy: [batch, 10] x int64[batch]: the probability is not in [0, 1]
  cross_entropy(x, label, reduction = kSame);  // says: cross_entropy: [batch, 10] x int64[batch]: the choice is none of the op's
  label_weights(narrow_label, weight);  // says: label_weights: int32[batch] x [9]: the labels are not int64
  label_weights(label, x);  // says: label_weights: int64[batch] x [batch, 10]: the weight is not one number per channel
  mask_labels(x, label);  // says: mask_labels: [batch, 10] x int64[batch]: the labels are not one per sample
  mse_loss(x, y);  // says: mse_loss: [batch, 10] x [batch, 9]: shapes differ
  mse_loss(n, n);  // says: mse_loss: int64[batch, 10] x int64[batch, 10]: not a floating-point dtype
  mse_loss(x, x, reduction = kSame);  // says: mse_loss: [batch, 10] x [batch, 10]: the choice is none of the op's
  multi_margin_loss(x, labels);  // says: multi_margin_loss: [batch, 10] x int64[7]: the labels are not one per sample
  multi_margin_loss(x, label, weight);  // says: multi_margin_loss: [batch, 10] x int64[batch] x [9]: the weight is not one number per channel
  multi_margin_loss(x, label, ops::p = 3_c);  // says: multi_margin_loss: [batch, 10] x int64[batch]: a size is out of range
  multilabel_margin(x, labels);  // says: multilabel_margin: [batch, 10] x int64[7]: shapes differ
  multilabel_margin_backward(weight, x, n);  // says: multilabel_margin_backward: [9] x [batch, 10] x int64[batch, 10]: the labels are not one per sample
  multilabel_margin_loss(x, labels);  // says: multilabel_margin_loss: [batch, 10] x int64[7]: shapes differ
  multilabel_margin_loss(x, x);  // says: multilabel_margin_loss: [batch, 10] x [batch, 10]: the labels are not int64
  multilabel_soft_margin_loss(x, y);  // says: multilabel_soft_margin_loss: [batch, 10] x [batch, 9]: shapes differ
  multilabel_soft_margin_loss(x, x, y);  // says: multilabel_soft_margin_loss: [batch, 10] x [batch, 10] x [batch, 9]: not broadcastable
  multilabel_soft_margin_loss(scalar, scalar);  // says: multilabel_soft_margin_loss: [] x []: no rule for these ranks
  nll(x, labels);  // says: nll: [batch, 10] x int64[7]: the labels are not one per sample
  nll_loss(x, labels);  // says: nll_loss: [batch, 10] x int64[7]: the labels are not one per sample
  nll_loss(x, label, weight);  // says: nll_loss: [batch, 10] x int64[batch] x [9]: the weight is not one number per channel
  softmax_cross_entropy(x, labels);  // says: softmax_cross_entropy: [batch, 10] x int64[7]: the labels are not one per sample
  softmax_cross_entropy_backward(weight, x, label);  // says: softmax_cross_entropy_backward: [9] x [batch, 10] x int64[batch]: the labels are not one per sample
  bce(x, y);  // says: bce: [batch, 10] x [batch, 9]: shapes differ
  binary_cross_entropy(x, y);  // says: binary_cross_entropy: [batch, 10] x [batch, 9]: shapes differ
  binary_cross_entropy(x, x, y);  // says: binary_cross_entropy: [batch, 10] x [batch, 10] x [batch, 9]: not broadcastable
  binary_cross_entropy_with_logits(x, y);  // says: binary_cross_entropy_with_logits: [batch, 10] x [batch, 9]: shapes differ
  binary_cross_entropy_with_logits(x, x, y);  // says: binary_cross_entropy_with_logits: [batch, 10] x [batch, 10] x [batch, 9]: not broadcastable
  cosine_similarity(x, y);  // says: cosine_similarity: [batch, 10] x [batch, 9], dim 1: not broadcastable
  cosine_similarity(x, x, dim = 2_c);  // says: cosine_similarity: [batch, 10] x [batch, 10], dim 2: dimension out of range
  cosine_similarity(n, n);  // says: cosine_similarity: int64[batch, 10] x int64[batch, 10], dim 1: not a floating-point dtype
  ctc(x, n, label, label);  // says: ctc: [batch, 10] x int64[batch, 10] x int64[batch] x int64[batch]: no rule for these ranks
  ctc_loss(x, n, label, label);  // says: ctc_loss: [batch, 10] x int64[batch, 10] x int64[batch] x int64[batch]: no rule for these ranks
  gaussian_nll_loss(x, y, x);  // says: gaussian_nll_loss: [batch, 10] x [batch, 9] x [batch, 10]: shapes differ
  gaussian_nll_loss(x, x, y);  // says: gaussian_nll_loss: [batch, 10] x [batch, 10] x [batch, 9]: shapes differ
  huber_loss(x, y);  // says: huber_loss: [batch, 10] x [batch, 9]: shapes differ
  huber_loss(x, x, delta = 0_c);  // says: huber_loss: [batch, 10] x [batch, 10]: a size is out of range
  info_nce(x, y);  // says: info_nce: [batch, 10] x [batch, 9]: shapes differ
  info_nce(x, wide);  // says: info_nce: [batch, 10] x float64[batch, 10]: dtypes differ
  info_nce(scalar, scalar);  // says: info_nce: [] x []: no rule for these ranks
  kl_div(x, y);  // says: kl_div: [batch, 10] x [batch, 9]: not broadcastable
  kl_div(scalar, scalar, reduction = kBatchMean);  // says: kl_div: [] x []: no rule for these ranks
  l1_loss(x, y);  // says: l1_loss: [batch, 10] x [batch, 9]: shapes differ
  l1_loss(n, n);  // says: l1_loss: int64[batch, 10] x int64[batch, 10]: not a floating-point dtype
  margin_ranking_loss(x, y, x);  // says: margin_ranking_loss: [batch, 10] x [batch, 9] x [batch, 10]: not broadcastable
  poisson_nll_loss(x, y);  // says: poisson_nll_loss: [batch, 10] x [batch, 9]: not broadcastable
  smooth_l1_loss(x, y);  // says: smooth_l1_loss: [batch, 10] x [batch, 9]: shapes differ
  soft_margin_loss(x, y);  // says: soft_margin_loss: [batch, 10] x [batch, 9]: shapes differ
  soft_margin_loss(n, n);  // says: soft_margin_loss: int64[batch, 10] x int64[batch, 10]: not a floating-point dtype
  triplet_margin_loss(x, y, x);  // says: triplet_margin_loss: [batch, 10] x [batch, 9] x [batch, 10]: not broadcastable
  triplet_margin_loss(scalar, scalar, scalar);  // says: triplet_margin_loss: [] x [] x []: no rule for these ranks
  ctc_backward(x, x, n, label, label, kernel_size = 1_c);  // says: ctc_backward: [batch, 10] x [batch, 10] x int64[batch, 10] x int64[batch] x int64[batch]: the op has no such attribute
  cosine_embedding_loss(x, y, label);  // says: cosine_embedding_loss: [batch, 10] x [batch, 9] x int64[batch]: shapes differ
  cosine_embedding_loss(x, x, labels);  // says: cosine_embedding_loss: [batch, 10] x [batch, 10] x int64[7]: the labels are not one per sample
  hinge_embedding_loss(x, y);  // says: hinge_embedding_loss: [batch, 10] x [batch, 9]: not broadcastable
#endif
}
