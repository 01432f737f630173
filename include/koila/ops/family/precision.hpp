#pragma once
// In which precision ops made of other ops compute.
#include <koila/ops/to_dtype.hpp>

namespace koila::detail {

/// f(x), computed in float32 where x has 16 bits: sums and squares of such values overflow, or lose what is small, and are added
/// up in float32 by LibTorch too.
template <class X, class F>
constexpr auto widened(const X& x, const F& f) -> X {
  const dtype t = dims_of(x).type;
  if (accumulator_of(t) == t) return f(x);
  const auto to = [](dtype type, const X& v) -> X { return call_with<struct to_dtype>({type}, v); };
  return to(t, f(to(accumulator_of(t), x)));
}

}  // namespace koila::detail
