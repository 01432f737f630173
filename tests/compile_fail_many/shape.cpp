// SPDX-License-Identifier: MIT
// Ops that move, cut, join or select elements.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 6, 4> x{"x"};
  input<batch, 5, 4> y{"y"};
  input<6, 4> m{"m"};
  input<float64, 2> wide{"wide"};
  input<> scalar{"scalar"};
  input<3> v{"v"};
  input<4> w{"w"};
  input<int64, 2> i{"i"};
  input<int64, 2, 3> at{"at"};
  input<int64, 7, 2> far{"far"};
  input<2, 3> source{"source"};
  input<boolean, 6, 4> truth{"truth"};
  input<1, 1, 1, 1, 1, 1, 1, 1> deep{"deep"};
#ifdef MISTAKE
  cat(x, y, dim = 2_c);  // says: cat: [batch, 6, 4] x [batch, 5, 4], dim 2: shapes differ
  cat(x, m, dim = 1_c);  // says: cat: [batch, 6, 4] x [6, 4], dim 1: no rule for these ranks
  cat(x, y, dim = 3_c);  // says: cat: [batch, 6, 4] x [batch, 5, 4], dim 3: dimension out of range
  chunk(x, 2_c, dim = 3_c);  // says: chunk: [batch, 6, 4], part 1 of 2, dim 3: dimension out of range
  chunk(x, 7_c, dim = 1_c);  // says: chunk: [batch, 6, 4], part 6 of 7, dim 1: the number is larger than the dim
  diagonal(x, 0_c, 1_c, 3_c);  // says: diagonal: [batch, 6, 4], offset 0, dims 1 and 3: dimension out of range
  diagonal(x, dim1 = 1_c, dim2 = -2_c);  // says: diagonal: [batch, 6, 4], offset 0, dims 1 and -2: a dim is given twice
  diagonal(v);  // says: diagonal: [3], offset 0, dims 0 and 1: no rule for these ranks
  diagonal_backward(v, m);  // says: diagonal_backward: [3] x [6, 4], offset 0, dims 0 and 1: shapes differ
  expand(x, 2_c, 6_c, 5_c);  // says: expand: [batch, 6, 4] to [2, 6, 5]: not broadcastable
  expand(m, 4_c);  // says: expand: [6, 4] to [4]: not broadcastable
  flatten(x, 2_c, 1_c);  // says: flatten: [batch, 6, 4], dims 2 to 1: dimension out of range
  flatten(x, start_dim = 3_c);  // says: flatten: [batch, 6, 4], dims 3 to -1: dimension out of range
  flip(x, 3_c);  // says: flip: [batch, 6, 4], dims 3: dimension out of range
  flip(x, 1_c, -2_c);  // says: flip: [batch, 6, 4], dims (1, -2): a dim is given twice
  gather(m, 0_c, m);  // says: gather: [6, 4] x [6, 4], dim 0: the index is not int64
  gather(m, 0_c, i);  // says: gather: [6, 4] x int64[2], dim 0: no rule for these ranks
  gather(m, 2_c, at);  // says: gather: [6, 4] x int64[2, 3], dim 2: dimension out of range
  gather(m, 1_c, far);  // says: gather: [6, 4] x int64[7, 2], dim 1: shapes differ
  gather_backward(m, m, i, dim = 0_c);  // says: gather_backward: [6, 4] x [6, 4] x int64[2], dim 0: no rule for these ranks
  index(m, v);  // says: index: [6, 4] x [3]: the index is not int64
  index(m, at, v);  // says: index: [6, 4] x int64[2, 3] x [3]: the index is not int64
  index(m, i, i, i);  // says: index: [6, 4] x int64[2] x int64[2] x int64[2]: no rule for these ranks
  index(m, truth);  // says: index: [6, 4] x bool[6, 4]: a mask of an index is a tensor, not an expression; or use where or masked_fill
  wrap_index(v, 6);  // says: wrap_index: [3] into ?: the index is not int64
  index(scalar, i);  // says: index: [] x int64[2]: no rule for these ranks
  index(deep, at);  // says: index: [1, 1, 1, 1, 1, 1, 1, 1] x int64[2, 3]: more than 8 dimensions
  index_add(m, 0_c, v, m);  // says: index_add: [6, 4] x [3] x [6, 4], dim 0: the index is not int64
  index_add(m, 0_c, i, source);  // says: index_add: [6, 4] x int64[2] x [2, 3], dim 0: shapes differ
  index_add(m, 0_c, at, m, 2);  // says: index_add: [6, 4] x int64[2, 3] x [6, 4], dim 0: no rule for these ranks
  index_add(m, 2_c, i, m, alpha = 2);  // says: index_add: [6, 4] x int64[2] x [6, 4], dim 2: dimension out of range
  index_add(m, i, wide, dim = 0_c);  // says: index_add: [6, 4] x int64[2] x float64[2], dim 0: dtypes differ
  index_add(m, 0_c, i, m, dim = 1);  // says: index_add: [6, 4]: an operand stands after an attribute
  index_select(m, 0_c, v);  // says: index_select: [6, 4] x [3], dim 0: the index is not int64
  index_select(m, 0_c, at);  // says: index_select: [6, 4] x int64[2, 3], dim 0: no rule for these ranks
  index_select(m, 2_c, i);  // says: index_select: [6, 4] x int64[2], dim 2: dimension out of range
  index_select_backward(m, m, v);  // says: index_select_backward: [6, 4] x [6, 4] x [3], dim 0: the index is not int64
  narrow(x, 3_c, 0_c, 1_c);  // says: narrow: [batch, 6, 4], dim 3 from 0, length 1: dimension out of range
  narrow(x, 1_c, 4_c, 3_c);  // says: narrow: [batch, 6, 4], dim 1 from 4, length 3: a size is out of range
  narrow(scalar, 0_c, 0_c, 1_c);  // says: narrow: [], dim 0 from 0, length 1: no rule for these ranks
  pad(x, list_of(1_c));  // says: pad: [batch, 6, 4] by 1: a size is out of range
  pad(x, list_of(4_c, 0_c), mode = kReflect);  // says: pad: [batch, 6, 4] by (4, 0): a size is out of range
  pad(x, list_of(1_c, 1_c), mode = kMean);  // says: pad: [batch, 6, 4] by (1, 1): the choice is none of the op's
  pad_backward(x, x, padding = list_of(1_c));  // says: pad_backward: [batch, 6, 4] x [batch, 6, 4] by 1: a size is out of range
  permute(x, 0_c, 1_c);  // says: permute: [batch, 6, 4], dims (0, 1): not each dim is given once
  permute(x, 0_c, 1_c, 3_c);  // says: permute: [batch, 6, 4], dims (0, 1, 3): dimension out of range
  permute(x, 0_c, 1_c, -2_c);  // says: permute: [batch, 6, 4], dims (0, 1, -2): a dim is given twice
  repeat(x, 2_c, 2_c);  // says: repeat: [batch, 6, 4] by (2, 2): not each dim is given once
  repeat(x, 1_c, -1_c, 1_c);  // says: repeat: [batch, 6, 4] by (1, -1, 1): a size is out of range
  repeat_backward(x, x, 2_c, 2_c);  // says: repeat_backward: [batch, 6, 4] x [batch, 6, 4] by (2, 2): not each dim is given once
  repeat_interleave(x, 2_c, 3_c);  // says: repeat_interleave: [batch, 6, 4] by 2, dim 3: dimension out of range
  repeat_interleave(x, -1_c);  // says: repeat_interleave: [batch, 6, 4] by -1: a size is out of range
  repeat_interleave(scalar, 2_c, 0_c);  // says: repeat_interleave: [] by 2, dim 0: no rule for these ranks
  repeat_interleave(deep, 2_c, 0_c);  // says: repeat_interleave: [1, 1, 1, 1, 1, 1, 1, 1] by 2, dim 0: more than 8 dimensions
  reshape(x, batch, 23_c);  // says: reshape: [batch, 6, 4] to [batch, 23]: the numbers of elements differ
  reshape(x, 24_c);  // says: reshape: [batch, 6, 4] to [24]: the numbers of elements differ
  reshape(x, -1_c, -1_c);  // says: reshape: [batch, 6, 4] to [?, ?]: one size at most may be -1
  view(x, batch, 23_c);  // says: reshape: [batch, 6, 4] to [batch, 23]: the numbers of elements differ
  reshape_like(m, v);  // says: reshape_like: [6, 4] x [3]: the numbers of elements differ
  roll(x, 1_c, 3_c);  // says: roll: [batch, 6, 4] by 1, dims 3: dimension out of range
  roll(x, list_of(1_c, 2_c), 1_c);  // says: roll: [batch, 6, 4] by (1, 2), dims 1: not each dim is given once
  scatter(m, 0_c, v, m);  // says: scatter: [6, 4] x [3] x [6, 4], dim 0: the index is not int64
  scatter(m, 0_c, at, m);  // says: scatter: [6, 4] x int64[2, 3] x [6, 4], dim 0: shapes differ
  scatter_add(m, 2_c, at, source);  // says: scatter_add: [6, 4] x int64[2, 3] x [2, 3], dim 2: dimension out of range
  scatter_add(m, 0_c, at, wide);  // says: scatter_add: [6, 4] x int64[2, 3] x float64[2], dim 0: dtypes differ
  select(x, 3_c, 0_c);  // says: select: [batch, 6, 4], dim 3 at 0: dimension out of range
  select(x, 1_c, 6_c);  // says: select: [batch, 6, 4], dim 1 at 6: a size is out of range
  reshape(m, kSame);  // says: reshape: [6, 4]: the op has no such attribute
  reshape(m, 2.5);  // says: reshape: [6, 4]: the op has no such attribute
  arange(0.0, dim = 1);  // says: arange: the op has no such attribute
  select(scalar, 0_c, 0_c);  // says: select: [], dim 0 at 0: no rule for these ranks
  slice(x, 3_c);  // says: slice: [batch, 6, 4], dim 3 from 0 by 1: dimension out of range
  slice(x, 1_c, 0_c, 6_c, 0_c);  // says: slice: [batch, 6, 4], dim 1 from 0 to 6 by 0: a size is out of range
  slice_backward(m, x);  // says: slice_backward: [6, 4] x [batch, 6, 4]: no rule for these ranks
  slice_backward(y, x, 2_c);  // says: slice_backward: [batch, 5, 4] x [batch, 6, 4]: shapes differ
  split(x, list_of(2_c, 3_c), dim = 1_c);  // says: split: [batch, 6, 4] into (2, 3), dim 1: a size is out of range
  split(x, list_of(2_c, 4_c), dim = 3_c);  // says: split: [batch, 6, 4] into (2, 4), dim 3: dimension out of range
  split(x, 2_c, dim = 3_c);  // says: split: [batch, 6, 4] into 2, dim 3: dimension out of range
  squeeze(x, dim = 3_c);  // says: squeeze: [batch, 6, 4], dim 3: dimension out of range
  swapaxes(x, 0_c, 3_c);  // says: transpose: [batch, 6, 4], dims 0 and 3: dimension out of range
  t(x);  // says: t: [batch, 6, 4]: no rule for these ranks
  transpose(x, 0_c, 3_c);  // says: transpose: [batch, 6, 4], dims 0 and 3: dimension out of range
  tril(v);  // says: tril: [3]: no rule for these ranks
  triu(v);  // says: triu: [3]: no rule for these ranks
  unbind(x, dim = 3_c);  // says: select: [batch, 6, 4], dim 3 at 0: dimension out of range
  unflatten(x, 1_c, list_of(2_c, 4_c));  // says: unflatten: [batch, 6, 4], dim 1 to (2, 4): the numbers of elements differ
  unflatten(x, 3_c, list_of(2_c, 3_c));  // says: unflatten: [batch, 6, 4], dim 3 to (2, 3): dimension out of range
  unflatten(x, 1_c, list_of(-1_c, -1_c));  // says: unflatten: [batch, 6, 4], dim 1 to (-1, -1): one size at most may be -1
  unsqueeze(x, dim = 4_c);  // says: unsqueeze: [batch, 6, 4], dim 4: dimension out of range
  unsqueeze(deep, dim = 0_c);  // says: unsqueeze: [1, 1, 1, 1, 1, 1, 1, 1], dim 0: more than 8 dimensions
  stack(x, y);  // says: stack: [batch, 6, 4] x [batch, 5, 4], dim 0: shapes differ
  stack(x, x, dim = 4_c);  // says: stack: [batch, 6, 4] x [batch, 6, 4], dim 4: dimension out of range
  movedim(x, 0_c, 3_c);  // says: movedim: [batch, 6, 4], dims 0 to 3: dimension out of range
  movedim(x, list_of(0_c, 1_c), 0_c);  // says: movedim: [batch, 6, 4], dims (0, 1) to 0: not each dim is given once
  channel_shuffle(x, 4_c);  // says: channel_shuffle: [batch, 6, 4], groups 4: the channels are not divisible by the groups
  channel_shuffle(x, groups = 0_c);  // says: channel_shuffle: [batch, 6, 4], groups 0: a size is out of range
  channel_shuffle(m, 2_c);  // says: channel_shuffle: [6, 4], groups 2: no rule for these ranks
  pixel_shuffle(x, 0_c);  // says: pixel_shuffle: [batch, 6, 4] by 0: a size is out of range
  pixel_shuffle(m, 2_c);  // says: pixel_shuffle: [6, 4] by 2: no rule for these ranks
  pixel_unshuffle(x, 4_c);  // says: pixel_unshuffle: [batch, 6, 4] by 4: the dim is not divisible by it
  pixel_unshuffle(m, 2_c);  // says: pixel_unshuffle: [6, 4] by 2: no rule for these ranks
  take_along_dim(m, m, dim = 0_c);  // says: take_along_dim: [6, 4] x [6, 4], dim 0: the index is not int64
  take_along_dim(m, at, dim = 2_c);  // says: take_along_dim: [6, 4] x int64[2, 3], dim 2: dimension out of range
  take_along_dim(m, i, dim = 0_c);  // says: take_along_dim: [6, 4] x int64[2], dim 0: no rule for these ranks
  arange(0_c, 5_c, 0_c);  // says: arange of (0, 5, 0): a size is out of range
  eye(2_c, -1_c);  // says: eye of (2, -1): a size is out of range
  full(list_of(2_c, -3_c), 1);  // says: full of (2, -3): a size is out of range
  linspace(0_c, 1_c, -2_c);  // says: linspace, steps -2: a size is out of range
  ones(2_c, -1_c);  // says: ones of (2, -1): a size is out of range
  zeros(2_c, -1_c);  // says: zeros of (2, -1): a size is out of range
  window_sum(x, -1_c);  // says: window_sum: [batch, 6, 4], dim -1: a size is out of range
  window_sum(x, 1_c, 1_c, dim = 3_c);  // says: window_sum: [batch, 6, 4], dim 3: dimension out of range
#endif
}
