// SPDX-License-Identifier: MIT
#pragma once
// The precision of ops that expand to other ops.
#include <koila/ops/internal/to_dtype.hpp>

namespace koila::inline v0::detail {

/// Returns x, converted to float32 if x has a 16-bit dtype. A C++ number is returned unchanged.
template <class X>
constexpr auto wide_operand(const X& x) -> X {
  const dims d = dims_of(x);
  return d.number || accumulator_of(d.type) == d.type
             ? x
             : X(call_with<struct internal::to_dtype>({accumulator_of(d.type)}, x));
}

/// Returns f(), rounded once to dtype t if t has 16 bits. f computes an op's result from widened
/// operands.
template <class F>
constexpr auto rounded_once(dtype t, const F& f) -> decltype(f()) {
  if (accumulator_of(t) == t) return f();
  return call_with<struct internal::to_dtype>({t}, f());
}

/// Returns f(x), computed in float32 if x has a 16-bit dtype. 16-bit sums and squares overflow or
/// lose small terms; LibTorch too sums 16-bit values in float32.
template <class X, class F>
constexpr auto widened(const X& x, const F& f) -> X {
  return rounded_once(dims_of(x).type, [&]() -> X { return f(wide_operand(x)); });
}

}  // namespace koila::inline v0::detail
