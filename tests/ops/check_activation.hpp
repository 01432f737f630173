// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of activations: shapes, infinities, kinks, 16-bit floats, and refusals
// of integers and unknown attributes.
#include <koila/kernels/table.hpp>

#include "elementwise.hpp"
#include "long.hpp"

namespace koila::test {

/// Values at which activations have kinks or saturate.
inline auto kinks() -> at::Tensor {
  return at::tensor(
      {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 6.0, 1e-30, -1e-30, 19.5, 20.5, -20.5, 45.0, -45.0},
      at::kDouble);
}
/// Values that are not finite, or whose exponentials are not finite.
inline auto extremes() -> at::Tensor {
  return at::tensor({double(NAN), double(INFINITY), -double(INFINITY), 1e30, -1e30, 800.0, -800.0, 0.0}, at::kDouble);
}

/// LibTorch's values and slopes of single elements, which its scalar code computes. Its vector code
/// may treat NaN differently, and the vector length depends on the processor.
struct each_alone {
  at::Tensor values, slopes;
};
template <class G>
auto one_by_one(const at::Tensor& x, const G& g) -> each_alone {
  std::vector<at::Tensor> value, slope;
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const at::Tensor one = x.narrow(0, i, 1).clone().set_requires_grad(true);
    const at::Tensor y = g(one);
    y.sum().backward();
    value.push_back(y.detach());
    slope.push_back(one.grad());
  }
  return {at::cat(value), at::cat(slope)};
}

/// Compares `f` of expressions and tensors with LibTorch's `g`. The slope is also checked at
/// `ends`.
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
  // LibTorch's vector code may give NaN a different slope than its scalar code, and the vector
  // length depends on the processor.
  const at::Tensor points = detail::by_operators_only ? ends.masked_select(ends.isnan().logical_not()) : ends;
  const bound x = leaf(points);
  same(run(gradient(sum(f(x.leaf)), x.leaf)), one_by_one(points, g).slopes);
}

/// Computes `f` of NaN, infinities and kinks at every position of vectors of many lengths. Value
/// and slope must have the same bits in chunks of any size. They must also equal LibTorch's `g` of
/// each element alone, which its scalar code computes: bit for bit if `exact`, otherwise to
/// float32's precision.
template <class F, class G>
void check_every_place(const F& f, const G& g, bool exact = true) {
  const at::Tensor odd = at::cat({kinks(), extremes()});
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
    const at::Tensor all = odd.to(type);
    const auto [values, slopes] = one_by_one(all, g);
    const auto bits = [](const at::Tensor& t) { return at::where(at::isnan(t), 7777, t); };
    for (std::int64_t n = 1; n <= 70; n += of_sweep(n < 34 ? 4 : 18, 1)) {
      INFO(n << " of " << type);
      const at::Tensor which = (at::arange(n) * 5 + n).remainder(all.numel()), t = all.index_select(0, which);
      const bound x = leaf(t, 0);
      const auto y = f(x.leaf);
      const auto dx = gradient(sum(to<float64>(anything(y))), x.leaf);
      const binding<at::Tensor> given{x.leaf.state, t};
      const at::Tensor got = run(y, given), got_slope = run(dx, given);
      if (type == at::kDouble || type == at::kFloat) {
        same(got, values.index_select(0, which), type == at::kDouble);
        same(got_slope, slopes.index_select(0, which), exact && type == at::kDouble);
      }
      CHECK(at::equal(at::isnan(got_slope), at::isnan(slopes.index_select(0, which))));
      for (const index_t chunk : {index_t{1}, index_t{3}, index_t{16}}) {
        if (chunk >= n) continue;
        const options o{.memory = 1_GiB, .chunk = chunk};
        CHECK(at::equal(bits(run(y, o, given)), bits(got)));
        CHECK(at::equal(bits(run(dx, o, given)), bits(got_slope)));
      }
    }
  }
}

/// Checks that integers and booleans are refused with a message that begins with `name`.
template <class F>
void refuses_integers(const F& f, const std::string& name) {
  refuses_dtype(f, at::kLong, name + ": int64[3]: not a floating-point dtype");
  refuses_dtype(f, at::kBool, name + ": bool[3]: not a floating-point dtype");
}

}  // namespace koila::test
