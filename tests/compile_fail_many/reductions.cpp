// SPDX-License-Identifier: MIT
// Reductions.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 3, 4> x{"x"};
  input<batch, 0> empty{"empty"};
  input<int64, batch, 3, 4> n{"n"};
  input<boolean, batch, 3, 4> b{"b"};
  input<boolean, 7> truth{"truth"};
  input<3, 3> m{"m"};
#ifdef MISTAKE
  sum(x, dim = "a");  // says: sum: [batch, 3, 4]: the op has no such attribute
  sum(x, dim = 0.5);  // says: sum: [batch, 3, 4]: the op has no such attribute
  softmax(x, 0.5);  // says: softmax: [batch, 3, 4]: the op has no such attribute
  topk(x);  // says: topk: [batch, 3, 4], k -1, dim -1: a size is out of range
  all(x, dim = 3_c);  // says: all: [batch, 3, 4], dim 3: dimension out of range
  amax(x, dim = -4_c);  // says: amax: [batch, 3, 4], dim -4: dimension out of range
  amax(empty, dim = 1_c);  // says: amax: [batch, 0], dim 1: a dim without elements has no such value
  amin(x, dim = 3_c);  // says: amin: [batch, 3, 4], dim 3: dimension out of range
  amin(empty, dim = 1_c);  // says: amin: [batch, 0], dim 1: a dim without elements has no such value
  any_of(x, dim = 3_c);  // says: any: [batch, 3, 4], dim 3: dimension out of range
  argmax(x, dim = 3_c);  // says: argmax: [batch, 3, 4], dim 3: dimension out of range
  argmax(b);  // says: argmax: bool[batch, 3, 4]: no rule for booleans
  argmin(x, dim = 3_c);  // says: argmin: [batch, 3, 4], dim 3: dimension out of range
  argmin(b);  // says: argmin: bool[batch, 3, 4]: no rule for booleans
  count_nonzero(x, dim = 3_c);  // says: count_nonzero: [batch, 3, 4], dim 3: dimension out of range
  expand_like(x, x, kernel_size = 1_c);  // says: expand_like: [batch, 3, 4] x [batch, 3, 4]: the op has no such attribute
  inverse_count(x, kernel_size = 1_c);  // says: inverse_count: [batch, 3, 4]: the op has no such attribute
  inverse_degrees(x, kernel_size = 1_c);  // says: inverse_degrees: [batch, 3, 4]: the op has no such attribute
  logsumexp(x, dim = 3_c);  // says: logsumexp: [batch, 3, 4], dim 3: dimension out of range
  max(x, m);  // says: max: [batch, 3, 4] x [3, 3]: not broadcastable
  max(x, dim = 3_c);  // says: max: [batch, 3, 4], dim 3: dimension out of range
  max(b, dim = 1_c);  // says: max: bool[batch, 3, 4], dim 1: no rule for booleans
  max(empty, dim = 1_c);  // says: max: [batch, 0], dim 1: a dim without elements has no such value
  mean(x, dim = 3_c);  // says: mean: [batch, 3, 4], dim 3: dimension out of range
  mean(n);  // says: mean: int64[batch, 3, 4]: not a floating-point dtype
  min(x, m);  // says: min: [batch, 3, 4] x [3, 3]: not broadcastable
  min(x, dim = 3_c);  // says: min: [batch, 3, 4], dim 3: dimension out of range
  min(b, dim = 1_c);  // says: min: bool[batch, 3, 4], dim 1: no rule for booleans
  norm(x, dim = 3_c);  // says: norm: [batch, 3, 4], dim 3: dimension out of range
  norm(n);  // says: norm: int64[batch, 3, 4]: not a floating-point dtype
  koila::std(x, dim = 3_c);  // says: std: [batch, 3, 4], dim 3: dimension out of range
  koila::std(n);  // says: std: int64[batch, 3, 4]: not a floating-point dtype
  std_mean(x, dim = 3_c);  // says: std_mean: [batch, 3, 4], dim 3: dimension out of range
  std_mean(n);  // says: std_mean: int64[batch, 3, 4]: not a floating-point dtype
  sum(x, dim = 3_c);  // says: sum: [batch, 3, 4], dim 3: dimension out of range
  sum(x, dim = list_of(1_c, -2_c));  // says: sum: [batch, 3, 4], dims (1, -2): a dim is given twice
  var(x, dim = 3_c);  // says: var: [batch, 3, 4], dim 3: dimension out of range
  var(n);  // says: var: int64[batch, 3, 4]: not a floating-point dtype
  var_mean(x, dim = 3_c);  // says: var_mean: [batch, 3, 4], dim 3: dimension out of range
  var_mean(n);  // says: var_mean: int64[batch, 3, 4]: not a floating-point dtype
  moments(x, dim = 3_c);  // says: moments: [batch, 3, 4], dim 3: dimension out of range
  moments(n);  // says: moments: int64[batch, 3, 4]: not a floating-point dtype
  argsort(x, dim = 3_c);  // says: argsort: [batch, 3, 4], dim 3: dimension out of range
  cumprod(x, dim = 3_c);  // says: cumprod: [batch, 3, 4], dim 3: dimension out of range
  cumsum(x, dim = 3_c);  // says: cumsum: [batch, 3, 4], dim 3: dimension out of range
  cumsum(x);  // says: cumsum: [batch, 3, 4]: no dim is given
  median(x, dim = 3_c);  // says: median: [batch, 3, 4], dim 3: dimension out of range
  median(b, dim = 1_c);  // says: median: bool[batch, 3, 4], dim 1: no rule for booleans
  prod(x, dim = 3_c);  // says: prod: [batch, 3, 4], dim 3: dimension out of range
  prod_over(x, dim = 3_c);  // says: prod_over: [batch, 3, 4], dim 3: dimension out of range
  sample_index(input<>("s"));  // says: sample_index: []: no rule for these ranks
  sort(x, dim = 3_c);  // says: sort: [batch, 3, 4], dim 3: dimension out of range
  topk(x, 5_c);  // says: topk: [batch, 3, 4], k 5, dim -1: the number is larger than the dim
  topk(x, 1_c, dim = 3_c);  // says: topk: [batch, 3, 4], k 1, dim 3: dimension out of range
  cumsum_backward(x, kernel_size = 1_c);  // says: cumsum_backward: [batch, 3, 4]: the op has no such attribute
  prod_others(x, kernel_size = 1_c);  // says: prod_others: [batch, 3, 4]: the op has no such attribute
  cumprod_backward(x, x, kernel_size = 1_c);  // says: cumprod_backward: [batch, 3, 4] x [batch, 3, 4]: the op has no such attribute
  cumprod_tangent(x, x, kernel_size = 1_c);  // says: cumprod_tangent: [batch, 3, 4] x [batch, 3, 4]: the op has no such attribute
  prod_others_tangent(x, x, kernel_size = 1_c);  // says: prod_others_tangent: [batch, 3, 4] x [batch, 3, 4]: the op has no such attribute
  cumprod_backward_tangent(x, x, x, kernel_size = 1_c);  // says: cumprod_backward_tangent: [batch, 3, 4] x [batch, 3, 4] x [batch, 3, 4]: the op has no such attribute
#endif
}
