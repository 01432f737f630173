// SPDX-License-Identifier: MIT
// Element-wise ops of two or more operands.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 7> x{"x"};
  input<batch, 5> y{"y"};
  input<float64, batch, 7> wide{"wide"};
  input<boolean, batch, 7> b{"b"};
  input<batch, 7, 2> z{"z"};
#ifdef MISTAKE
  add(x, y);  // says: add: [batch, 7] x [batch, 5]: not broadcastable
  x + y;  // says: add: [batch, 7] x [batch, 5]: not broadcastable
  add(x, x, dim = 1_c);  // says: add: [batch, 7] x [batch, 7]: the op has no such attribute
  add(x, x, x);  // says: add: [batch, 7] x [batch, 7] x [batch, 7]: the op takes another number of operands
  div(x, y);  // says: div: [batch, 7] x [batch, 5]: not broadcastable
  x / y;  // says: div: [batch, 7] x [batch, 5]: not broadcastable
  mul(x, y);  // says: mul: [batch, 7] x [batch, 5]: not broadcastable
  x * y;  // says: mul: [batch, 7] x [batch, 5]: not broadcastable
  pow(x, y);  // says: pow: [batch, 7] x [batch, 5]: not broadcastable
  pow(b, b);  // says: pow: bool[batch, 7] x bool[batch, 7]: no rule for booleans
  sub(x, y);  // says: sub: [batch, 7] x [batch, 5]: not broadcastable
  sub(b, x);  // says: sub: bool[batch, 7] x [batch, 7]: no rule for booleans
  x - y;  // says: sub: [batch, 7] x [batch, 5]: not broadcastable
  ties(x, y);  // says: ties: [batch, 7] x [batch, 5]: not broadcastable
  ties(x, wide);  // says: ties: [batch, 7] x float64[batch, 7]: dtypes differ
  addcdiv(x, x, y);  // says: addcdiv: [batch, 7] x [batch, 7] x [batch, 5]: not broadcastable
  addcmul(x, x, y);  // says: addcmul: [batch, 7] x [batch, 7] x [batch, 5]: not broadcastable
  addcmul(b, b, b);  // says: addcmul: bool[batch, 7] x bool[batch, 7] x bool[batch, 7]: no rule for booleans
  atan2(x, y);  // says: atan2: [batch, 7] x [batch, 5]: not broadcastable
  bitwise_and(x, b);  // says: bitwise_and: [batch, 7] x bool[batch, 7]: not of integers
  bitwise_and(x, 1);  // says: bitwise_and: [batch, 7] x []: not of integers
  b & 0.5;  // says: bitwise_and: bool[batch, 7] x []: not of integers
  0.5 & b;  // says: bitwise_and: [] x bool[batch, 7]: not of integers
  bitwise_or(x, b);  // says: bitwise_or: [batch, 7] x bool[batch, 7]: not of integers
  bitwise_xor(x, b);  // says: bitwise_xor: [batch, 7] x bool[batch, 7]: not of integers
  centred_affine(x, x, y, x);  // says: centred_affine: [batch, 7] x [batch, 7] x [batch, 5] x [batch, 7]: not broadcastable
  centred_affine(b, b, b, b);  // says: centred_affine: bool[batch, 7] x bool[batch, 7] x bool[batch, 7] x bool[batch, 7]: not a floating-point dtype
  eq(x, y);  // says: eq: [batch, 7] x [batch, 5]: not broadcastable
  x == y;  // says: eq: [batch, 7] x [batch, 5]: not broadcastable
  floor_divide(x, y);  // says: floor_divide: [batch, 7] x [batch, 5]: not broadcastable
  floor_divide(b, b);  // says: floor_divide: bool[batch, 7] x bool[batch, 7]: no rule for booleans
  fma(x, y, x);  // says: fma: [batch, 7] x [batch, 5] x [batch, 7]: not broadcastable
  fmax(x, y);  // says: fmax: [batch, 7] x [batch, 5]: not broadcastable
  fmin(x, y);  // says: fmin: [batch, 7] x [batch, 5]: not broadcastable
  fmod(x, y);  // says: fmod: [batch, 7] x [batch, 5]: not broadcastable
  fmod(b, b);  // says: fmod: bool[batch, 7] x bool[batch, 7]: no rule for booleans
  ge(x, y);  // says: ge: [batch, 7] x [batch, 5]: not broadcastable
  x >= y;  // says: ge: [batch, 7] x [batch, 5]: not broadcastable
  gt(x, y);  // says: gt: [batch, 7] x [batch, 5]: not broadcastable
  x > y;  // says: gt: [batch, 7] x [batch, 5]: not broadcastable
  hypot(x, y);  // says: hypot: [batch, 7] x [batch, 5]: not broadcastable
  isclose(x, y);  // says: isclose: [batch, 7] x [batch, 5]: not broadcastable
  isclose(x, wide);  // says: isclose: [batch, 7] x float64[batch, 7]: dtypes differ
  le(x, y);  // says: le: [batch, 7] x [batch, 5]: not broadcastable
  x <= y;  // says: le: [batch, 7] x [batch, 5]: not broadcastable
  lerp(x, y, x);  // says: lerp: [batch, 7] x [batch, 5] x [batch, 7]: not broadcastable
  lerp(x, wide, x);  // says: lerp: [batch, 7] x float64[batch, 7] x [batch, 7]: dtypes differ
  logical_and(x, y);  // says: logical_and: [batch, 7] x [batch, 5]: not broadcastable
  logical_or(x, y);  // says: logical_or: [batch, 7] x [batch, 5]: not broadcastable
  logical_xor(x, y);  // says: logical_xor: [batch, 7] x [batch, 5]: not broadcastable
  lt(x, y);  // says: lt: [batch, 7] x [batch, 5]: not broadcastable
  x < y;  // says: lt: [batch, 7] x [batch, 5]: not broadcastable
  masked_fill(x, x, 1);  // says: masked_fill: [batch, 7] x [batch, 7] x []: the mask is not of booleans
  masked_fill(y, b, 1);  // says: masked_fill: [batch, 5] x bool[batch, 7] x []: not broadcastable
  masked_fill(x, b, y);  // says: masked_fill: [batch, 7] x bool[batch, 7] x [batch, 5]: not a scalar
  maximum(x, y);  // says: maximum: [batch, 7] x [batch, 5]: not broadcastable
  minimum(x, y);  // says: minimum: [batch, 7] x [batch, 5]: not broadcastable
  ne(x, y);  // says: ne: [batch, 7] x [batch, 5]: not broadcastable
  x != y;  // says: ne: [batch, 7] x [batch, 5]: not broadcastable
  remainder(x, y);  // says: remainder: [batch, 7] x [batch, 5]: not broadcastable
  remainder(b, b);  // says: remainder: bool[batch, 7] x bool[batch, 7]: no rule for booleans
  true_divide(x, y);  // says: true_divide: [batch, 7] x [batch, 5]: not broadcastable
  clamp(x, y, y);  // says: clamp: [batch, 7] x [batch, 5] x [batch, 5]: not broadcastable
  clamp_max(x, y);  // says: clamp_max: [batch, 7] x [batch, 5]: not broadcastable
  clamp_min(x, y);  // says: clamp_min: [batch, 7] x [batch, 5]: not broadcastable
  where(x, x, x);  // says: where: [batch, 7] x [batch, 7] x [batch, 7]: the mask is not of booleans
  where(b, x, y);  // says: where: bool[batch, 7] x [batch, 7] x [batch, 5]: not broadcastable
  where(x, 1, 2);  // says: where: [batch, 7] x [] x []: the mask is not of booleans
  where(b, 0, y);  // says: where: bool[batch, 7] x [] x [batch, 5]: not broadcastable
  div(b, b, rounding_mode = kFloor);  // says: div: bool[batch, 7] x bool[batch, 7], rounding_mode floor: no rule for booleans
  hinge_backward(x, y);  // says: hinge_backward: [batch, 7] x [batch, 5]: not broadcastable
#endif
}
