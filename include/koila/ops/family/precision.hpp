#pragma once
// In which precision ops made of other ops compute.
#include <koila/ops/to_dtype.hpp>

namespace koila::detail {

/// An operand of a call, in float32 where it has 16 bits; a C++ number as it is.
template <class X>
constexpr auto wide_operand(const X& x) -> X {
  const dims d = dims_of(x);
  return d.number || accumulator_of(d.type) == d.type ? x : X(call_with<struct to_dtype>({accumulator_of(d.type)}, x));
}

/// f(), what an op whose result is of dtype t computes of its operands widened, rounded once where
/// t has 16 bits.
template <class F>
constexpr auto rounded_once(dtype t, const F& f) -> decltype(f()) {
  if (accumulator_of(t) == t) return f();
  return call_with<struct to_dtype>({t}, f());
}

/// f(x), computed in float32 where the operand x has 16 bits: sums and squares of such values
/// overflow, or lose what is small, and are added up in float32 by LibTorch too.
template <class X, class F>
constexpr auto widened(const X& x, const F& f) -> X {
  return rounded_once(dims_of(x).type, [&]() -> X { return f(wide_operand(x)); });
}

}  // namespace koila::detail
