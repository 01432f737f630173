// SPDX-License-Identifier: MIT
// Calls in a form that no op accepts: text, operands after attributes, only numbers, braces.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

auto f(const at::Tensor& t) {
  input<batch, 6, 4> x{"x"};
  input<6, 4> m{"m"};
  input<int64, 2, 3> at{"at"};
  input<boolean, batch, 6, 4> b{"b"};
  parameter<10, 4> w{"w"};
  input<batch, 3, 8, 8> im{"im"};
  parameter<5, 3, 3, 3> k{"k"};
  parameter<5> c{"c"};
  (void)(x + 1), (void)(2.0 * x), (void)linear(x, w), (void)where(b, 1, x), (void)sum(x, list_of(0_c, 1_c));
  (void)chunk(x, 2_c, 1_c), (void)split(x, list_of(2_c, 4_c), 1_c), (void)unbind(x, 1_c), (void)einsum("bij,kj", x, w), (void)exp(x);
  (void)pow(2, x), (void)gather(m, 0_c, at), (void)scatter(m, 0_c, at, 1), (void)cat(x, x, dim = 1_c), (void)max(x), (void)let(x);
  (void)conv2d(im, k, c, stride = list_of(1_c, 1_c)), (void)cat(std::tuple(x, x), 1_c), (void)full(list_of(2_c), 1.0), (void)pad(x, list_of(1_c, 1_c));
  (void)(t + x), (void)zeros(2_c, 3_c), (void)clamp(x, min = 0), (void)clamp(x, max = 1), (void)clamp(x, min = x, max = 1);
#ifdef MISTAKE
  x + "a";  // says: add: [batch, 6, 4]: an argument is neither an operand nor an attribute
  "a" * x;  // says: mul: an argument is neither an operand nor an attribute
  x == nullptr;  // says: eq: [batch, 6, 4]: an argument is neither an operand nor an attribute
  x & 1;  // says: bitwise_and: [batch, 6, 4] x []: not of integers
  b - 1.0;  // says: sub: bool[batch, 6, 4] x []: no rule for booleans
  reshape(x, "a");  // says: reshape: [batch, 6, 4]: an argument is neither an operand nor an attribute
  reshape(x, {2, 3});  // says: reshape: [batch, 6, 4]: a list is not in braces but list_of(0_c, 1_c)
  sum(x, {0, 1});  // says: sum: [batch, 6, 4]: a list is not in braces but list_of(0_c, 1_c)
  sum(x, "a");  // says: sum: [batch, 6, 4]: an argument is neither an operand nor an attribute
  relu(1.0);  // says: relu: []: no operand is an expression or a tensor
  relu("a");  // says: relu: an argument is neither an operand nor an attribute
  linear(1.0, w);  // says: linear: [] x [10, 4]: no rule for these ranks
  cross_entropy(x, "a");  // says: cross_entropy: [batch, 6, 4]: an argument is neither an operand nor an attribute
  where(1, x, x);  // says: where: [] x [batch, 6, 4] x [batch, 6, 4]: the mask is not of booleans
  chunk(x);  // says: chunk: [batch, 6, 4]: the parts are not given as 2_c or list_of(2_c, 3_c)
  chunk(x, 2);  // says: chunk: [batch, 6, 4]: the parts are not given as 2_c or list_of(2_c, 3_c)
  chunk(x, 2.5);  // says: chunk: [batch, 6, 4]: the parts are not given as 2_c or list_of(2_c, 3_c)
  chunk(1.0, 2_c);  // says: chunk: no operand is an expression or a tensor
  split(x, "a");  // says: split: [batch, 6, 4]: the parts are not given as 2_c or list_of(2_c, 3_c)
  split(x);  // says: split: [batch, 6, 4]: the parts are not given as 2_c or list_of(2_c, 3_c)
  unbind(x, "a");  // says: select: [batch, 6, 4]: an argument is neither an operand nor an attribute
  einsum(x, w);  // says: einsum: [batch, 6, 4] x [10, 4]: the first argument is not an equation
  einsum("ij,jk"_eq, m);  // says: einsum: [6, 4], "ij,jk": the op takes another number of operands
  einsum("ij,jk", m, "a");  // says: einsum: [6, 4]: an argument is neither an operand nor an attribute
  scatter(m, 1);  // says: scatter: [6, 4] x [], dim 0: the op takes another number of operands
  scatter(m, 1, at);  // says: scatter: [6, 4] x [] x int64[2, 3], dim 0: no rule for these ranks
  gather(m, 0_c, "a");  // says: gather: [6, 4]: an argument is neither an operand nor an attribute
  exp(x, x);  // says: exp: [batch, 6, 4] x [batch, 6, 4]: the op takes another number of operands
  exp(x, "a");  // says: exp: [batch, 6, 4]: an argument is neither an operand nor an attribute
  pow(x, "a");  // says: pow: [batch, 6, 4]: an argument is neither an operand nor an attribute
  pow(x, x, x);  // says: pow: [batch, 6, 4] x [batch, 6, 4] x [batch, 6, 4]: the op takes another number of operands
  div(x, x, 1_c);  // says: div: [batch, 6, 4] x [batch, 6, 4]: the op has no such attribute
  max(x, "a");  // says: max: [batch, 6, 4]: an argument is neither an operand nor an attribute
  cat("a", x);  // says: cat: an argument is neither an operand nor an attribute
  cat(x, 1, w);  // says: cat: [batch, 6, 4]: an operand stands after an attribute
  zeros("a");  // says: zeros: an argument is neither an operand nor an attribute
  clamp(x, "a", 2);  // says: clamp: [batch, 6, 4]: an argument is neither an operand nor an attribute
  clamp(x, min = "a");  // says: clamp: [batch, 6, 4]: the op has no such attribute
  clamp(x, min = 0, dim = 1);  // says: clamp: [batch, 6, 4]: the op has no such attribute
  clamp(t, max = "a");  // says: clamp: [...]: the op has no such attribute
  prelu(x, 0.25);  // says: prelu: [batch, 6, 4] x []: the weight is a number, which leaky_relu takes
  prelu(t, 0.25);  // says: prelu: [...] x []: the weight is a number, which leaky_relu takes
  arange(0.5, "a");  // says: arange: an argument is neither an operand nor an attribute
  custom([](const auto& a) { return a; }, x);  // says: custom: its workspace is not stated, as workspace = bytes; of one kernel it is 0
  let(3);  // says: let: no operand is an expression or a tensor
  x = 3;  // says: input: not a tensor
  relu(t, t);  // says: relu: [...] x [...]: the op takes another number of operands
  softmax(t, dim = "a");  // says: softmax: [...]: the op has no such attribute
  softmax(t, "a");  // says: softmax: [...]: an argument is neither an operand nor an attribute
  reshape(t, {2, 3});  // says: reshape: [...]: a list is not in braces but list_of(0_c, 1_c)
  linear(t, 1, w);  // says: linear: [...] x [] x [10, 4]: no rule for these ranks
  where(1, t, t);  // says: where: [] x [...] x [...]: the mask is not of booleans
  scatter(t, 1);  // says: scatter: [...] x [], dim 0: the op takes another number of operands
  chunk(t, 2);  // says: chunk: [...]: the parts are not given as 2_c or list_of(2_c, 3_c)
  chunk(t, 2_c, dim = "a");  // says: chunk: [...]: the op has no such attribute
  zeros({2, 3});  // says: zeros: a list is not in braces but list_of(0_c, 1_c)
  full({2, 3}, 1.0);  // says: full: a list is not in braces but list_of(0_c, 1_c)
  cat({x, x});  // says: cat: operands are not in braces but one after another, or in a std::tuple
  stack({x, x + 1}, 1_c);  // says: stack: operands are not in braces but one after another, or in a std::tuple
  cat({t, t}, 1);  // says: cat: operands are not in braces but one after another, or in a std::tuple
  conv2d(im, k, {1, 1});  // says: conv2d: [batch, 3, 8, 8]: a list is not in braces but list_of(0_c, 1_c)
  conv2d(im, k, c, {1, 1});  // says: conv2d: [batch, 3, 8, 8]: a list is not in braces but list_of(0_c, 1_c)
  conv2d(im, k, c, stride = {1, 1});  // says: attribute: a list is not in braces but list_of(0_c, 1_c)
  max_pool2d(t, kernel_size = {2_c, 2_c});  // says: attribute: a list is not in braces but list_of(0_c, 1_c)
  norm(x, 2, {0, 1});  // says: norm: [batch, 6, 4]: a list is not in braces but list_of(0_c, 1_c)
  unflatten(x, 1_c, {2, 3});  // says: unflatten: [batch, 6, 4]: a list is not in braces but list_of(0_c, 1_c)
  roll(x, {1, 1}, {0, 1});  // says: roll: [batch, 6, 4]: a list is not in braces but list_of(0_c, 1_c)
  split(x, {2, 4}, 1);  // says: split: [batch, 6, 4]: a list is not in braces but list_of(0_c, 1_c)
  chunk(x, 0_c);  // says: chunk: [batch, 6, 4], part 0 of 0, dim 0: a size is out of range
  transpose(x);  // says: transpose: [batch, 6, 4]: no dim is given
  transpose(x, 0_c);  // says: transpose: [batch, 6, 4]: no dim is given
  flip(x);  // says: flip: [batch, 6, 4]: no dim is given
  pad(x);  // says: pad: [batch, 6, 4]: no padding is given
  full(list_of(2_c));  // says: full of 2: no number is given
  repeat_interleave(x, dim = 1_c);  // says: repeat_interleave: [batch, 6, 4], dim 1: no number is given
  channel_shuffle(x);  // says: channel_shuffle: [batch, 6, 4]: no number is given
  index_add(m, 0_c, at, "a");  // says: index_add: [6, 4]: an argument is neither an operand nor an attribute
  index_add(m, 0_c, at);  // says: index_add: [6, 4]: an operand stands after an attribute
  split(t, "a");  // says: split: [...]: the parts are not given as 2_c or list_of(2_c, 3_c)
#endif
}
