#pragma once
// What every activation's test asks: shapes, infinities, kinks, 16 bits, that integers and attributes it lacks are refused.
#include "elementwise.hpp"

namespace koila::test {

/// Where activations bend, and where they saturate.
inline auto kinks() -> at::Tensor {
  return at::tensor({0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 6.0, 1e-30, -1e-30, 19.5, 20.5, -20.5, 45.0, -45.0},
                    at::kDouble);
}
/// What is not finite, and what no exponential is finite of.
inline auto extremes() -> at::Tensor {
  return at::tensor({double(NAN), double(INFINITY), -double(INFINITY), 1e30, -1e30, 800.0, -800.0, 0.0}, at::kDouble);
}

/// `f` of expressions and tensors against LibTorch's `g`. The slope is asked at the `ends` too.
template <class F, class G>
void check_activation(const F& f, const G& g, const ask& what = {}, const at::Tensor& ends = extremes()) {
  for (const auto& s : some_sizes(1)) check(what, f, g, per_sample(normal(s.sizes) * 2, s.batch));
  check(what, f, g, whole(normal({3, 4}) * 2));
  check(what, f, g, whole(normal({})));
  check(what, f, g, per_sample(kinks()));
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
    const at::Tensor odd = at::cat({kinks(), extremes()}).to(type);
    same(f(odd), g(odd));
  }
  if (!what.gradients) return;
  const bound x = leaf(ends);
  const at::Tensor t = ends.clone().set_requires_grad(true);
  g(t).sum().backward();
  same(run(gradient(sum(f(x.leaf)), x.leaf)), t.grad());
}

/// Integers and booleans are refused with `name`'s sentence.
template <class F>
void refuses_integers(const F& f, const std::string& name) {
  refuses_dtype(f, at::kLong, name + ": int64[3]: not a floating-point dtype");
  refuses_dtype(f, at::kBool, name + ": bool[3]: not a floating-point dtype");
}

}  // namespace koila::test
