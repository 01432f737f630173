// SPDX-License-Identifier: MIT
// Element-wise ops of one operand, with a dtype or an attribute that they do not take.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 3> x{"x"};
  input<int64, batch, 3> n{"n"};
  input<boolean, batch, 3> b{"b"};
#ifdef MISTAKE
  abs(b);  // says: abs: bool[batch, 3]: no rule for booleans
  abs_difference(n, n);  // says: abs_difference: int64[batch, 3] x int64[batch, 3]: not a floating-point dtype
  acos(x, kernel_size = 1_c);  // says: acos: [batch, 3]: the op has no such attribute
  acosh(x, kernel_size = 1_c);  // says: acosh: [batch, 3]: the op has no such attribute
  asin(x, kernel_size = 1_c);  // says: asin: [batch, 3]: the op has no such attribute
  asinh(x, kernel_size = 1_c);  // says: asinh: [batch, 3]: the op has no such attribute
  atan(x, kernel_size = 1_c);  // says: atan: [batch, 3]: the op has no such attribute
  atanh(x, kernel_size = 1_c);  // says: atanh: [batch, 3]: the op has no such attribute
  bitwise_not(x);  // says: bitwise_not: [batch, 3]: not of integers
  ceil(b);  // says: ceil: bool[batch, 3]: no rule for booleans
  cos(x, kernel_size = 1_c);  // says: cos: [batch, 3]: the op has no such attribute
  cosh(x, kernel_size = 1_c);  // says: cosh: [batch, 3]: the op has no such attribute
  detach(x, kernel_size = 1_c);  // says: detach: [batch, 3]: the op has no such attribute
  erf(x, kernel_size = 1_c);  // says: erf: [batch, 3]: the op has no such attribute
  erfc(x, kernel_size = 1_c);  // says: erfc: [batch, 3]: the op has no such attribute
  exp(x, kernel_size = 1_c);  // says: exp: [batch, 3]: the op has no such attribute
  exp2(x, kernel_size = 1_c);  // says: exp2: [batch, 3]: the op has no such attribute
  expm1(x, kernel_size = 1_c);  // says: expm1: [batch, 3]: the op has no such attribute
  finite_or_zero(x, kernel_size = 1_c);  // says: finite_or_zero: [batch, 3]: the op has no such attribute
  floor(b);  // says: floor: bool[batch, 3]: no rule for booleans
  frac(n);  // says: frac: int64[batch, 3]: not a floating-point dtype
  isfinite(x, kernel_size = 1_c);  // says: isfinite: [batch, 3]: the op has no such attribute
  isinf(x, kernel_size = 1_c);  // says: isinf: [batch, 3]: the op has no such attribute
  isnan(x, kernel_size = 1_c);  // says: isnan: [batch, 3]: the op has no such attribute
  log(x, kernel_size = 1_c);  // says: log: [batch, 3]: the op has no such attribute
  log10(x, kernel_size = 1_c);  // says: log10: [batch, 3]: the op has no such attribute
  log1p(x, kernel_size = 1_c);  // says: log1p: [batch, 3]: the op has no such attribute
  log2(x, kernel_size = 1_c);  // says: log2: [batch, 3]: the op has no such attribute
  logical_not(x, kernel_size = 1_c);  // says: logical_not: [batch, 3]: the op has no such attribute
  logit(x, kernel_size = 1_c);  // says: logit: [batch, 3]: the op has no such attribute
  nan_to_num(x, kernel_size = 1_c);  // says: nan_to_num: [batch, 3]: the op has no such attribute
  neg(b);  // says: neg: bool[batch, 3]: no rule for booleans
  +b;  // says: positive: bool[batch, 3]: no rule for booleans
  -b;  // says: neg: bool[batch, 3]: no rule for booleans
  positive(b);  // says: positive: bool[batch, 3]: no rule for booleans
  power(n, 2.0);  // says: power: int64[batch, 3]: not a floating-point dtype
  reciprocal(x, kernel_size = 1_c);  // says: reciprocal: [batch, 3]: the op has no such attribute
  round(b);  // says: round: bool[batch, 3]: no rule for booleans
  rsqrt(x, kernel_size = 1_c);  // says: rsqrt: [batch, 3]: the op has no such attribute
  sigmoid(x, kernel_size = 1_c);  // says: sigmoid: [batch, 3]: the op has no such attribute
  sign(x, kernel_size = 1_c);  // says: sign: [batch, 3]: the op has no such attribute
  sin(x, kernel_size = 1_c);  // says: sin: [batch, 3]: the op has no such attribute
  sinh(x, kernel_size = 1_c);  // says: sinh: [batch, 3]: the op has no such attribute
  sqrt(x, kernel_size = 1_c);  // says: sqrt: [batch, 3]: the op has no such attribute
  square(x, kernel_size = 1_c);  // says: square: [batch, 3]: the op has no such attribute
  tan(x, kernel_size = 1_c);  // says: tan: [batch, 3]: the op has no such attribute
  tanh(x, kernel_size = 1_c);  // says: tanh: [batch, 3]: the op has no such attribute
  to_dtype(x, kernel_size = 1_c);  // says: to_dtype: [batch, 3]: the op has no such attribute
  trunc(b);  // says: trunc: bool[batch, 3]: no rule for booleans
  hinge(n);  // says: hinge: int64[batch, 3]: not a floating-point dtype
  xlogx(n);  // says: xlogx: int64[batch, 3]: not a floating-point dtype
  one_hot(x);  // says: one_hot: [batch, 3], classes -1: the index is not int64
  full_like(x, kernel_size = 1_c);  // says: full_like: [batch, 3]: the op has no such attribute
  ones_like(x, kernel_size = 1_c);  // says: ones_like: [batch, 3]: the op has no such attribute
  zeros_like(x, kernel_size = 1_c);  // says: zeros_like: [batch, 3]: the op has no such attribute
#endif
}
