// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of reductions. `f` is the op and `g` is LibTorch's operator. Both take
// a tensor and optional dims.
#include "check.hpp"

namespace koila::test {

/// Checks an op that returns one value without a dim, and values and indices along a dim: max, min,
/// median.
template <class F, class G>
void check_values_and_indices(const F& f, const G& g) {
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = normal(s.sizes), few = (t * 2).round();  // with and without ties
    if (t.numel() == 0) continue;
    check(f, g, per_sample(few, s.batch));
    for_dims(s.sizes, [&](int d) {
      for (const bool keep : {false, true}) {
        const operand x = per_sample(keep ? t : few, s.batch);
        check([&](const auto& v) { return std::get<0>(f(v, d, keepdim = keep)); },
              [&](const at::Tensor& v) { return std::get<0>(g(v, d, keep)); }, x);
        check([&](const auto& v) { return std::get<1>(f(v, d, keepdim = keep)); },
              [&](const at::Tensor& v) { return std::get<1>(g(v, d, keep)); }, x);
      }
    });
  }
  check(f, g, whole(normal({})));
  check([&](const auto& x) { return std::get<0>(f(x, 0)); }, [&](const at::Tensor& x) { return std::get<0>(g(x, 0)); },
        whole(normal({})));
  check_typed([&](const auto& x) { return std::get<0>(f(x, -1_c)); },
              [&](const at::Tensor& x) { return std::get<0>(g(x, -1)); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const input<batch, 3> x{"x"};
  const at::Tensor t = normal({5, 3}).to(at::kFloat);  // (samples, 3)
  const auto [values, indices] = f(x, dim = 1_c);
  same(run(values, x = t), std::get<0>(g(t, 1)));
  same(run(indices, x = t), std::get<1>(g(t, 1)));

  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, -INFINITY, NAN, NAN}).view({3, 2});  // (3, 2)
  same(std::get<0>(f(odd, -1)), std::get<0>(g(odd, -1)));
  same(std::get<1>(f(odd, -1)), std::get<1>(g(odd, -1)));
  same(f(odd), g(odd));
}

/// Checks the maximum or minimum over dims: amax, amin.
template <class F, class G>
void check_extremum(const F& f, const G& g) {
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = normal(s.sizes), few = (t * 2).round();  // with and without ties
    if (t.numel() == 0) continue;
    check(f, g, per_sample(t, s.batch));
    check(f, g, per_sample(few, s.batch));
    for_dims(s.sizes, [&](int d) {
      check([&](const auto& x) { return f(x, dim = d, keepdim = d > 0); },
            [&](const at::Tensor& x) { return g(x, d, d > 0); }, per_sample(d < 0 ? few : t, s.batch));
    });
  }
  for (const int batch : {0, 1, 2})
    check([&](const auto& x) { return f(x, list_of(0_c, -1_c)); },
          [&](const at::Tensor& x) { return g(x, at::IntArrayRef{0, -1}); }, per_sample(normal({3, 5, 2}), batch));
  check(f, g, whole(normal({})));
  check([&](const auto& x) { return f(x, 1_c); }, [&](const at::Tensor& x) { return g(x, 1); }, whole(normal({0, 3})));
  check_typed([&](const auto& x) { return f(x, -1_c); }, [&](const at::Tensor& x) { return g(x, -1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});

  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, -INFINITY, -0.0F, 0.0F}).view({3, 2});  // (3, 2)
  same(f(odd, -1), g(odd, -1));
  same(f(odd), g(odd));
  check_other_dtypes(f, g);
}

/// Checks the index of the maximum or minimum: argmax, argmin.
template <class F, class G>
void check_position(const F& f, const G& g) {
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = (normal(s.sizes) * 2).round();  // with ties
    if (t.numel() == 0) continue;
    check(f, g, per_sample(t, s.batch));
    for_dims(s.sizes, [&](int d) {
      check([&](const auto& x) { return f(x, dim = d, keepdim = d > 0); },
            [&](const at::Tensor& x) { return g(x, d, d > 0); }, per_sample(t, s.batch));
    });
  }
  check([&](const auto& x) { return f(x, keepdim = true); },
        [&](const at::Tensor& x) { return g(x, std::nullopt, true); }, per_sample(normal({3, 5}), 1));
  for (const auto& t : {normal({}), normal({1, 1})})
    check([&](const auto& x) { return f(x, 0); }, [&](const at::Tensor& x) { return g(x, 0); }, whole(t));
  check_typed([&](const auto& x) { return f(x, -1_c); }, [&](const at::Tensor& x) { return g(x, -1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  check_other_dtypes(f, g, false);
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, -INFINITY, NAN, NAN}).view({3, 2});  // (3, 2)
  same(f(odd, -1), g(odd, -1));
  same(f(odd), g(odd));
}

/// Checks whether all elements, or any element, are not zero: all, any.
template <class F, class G>
void check_whether(const F& f, const G& g) {
  const at::Tensor t = at::arange(84).view({7, 4, 3}).remainder(5).sub(2).clamp_min(0);  // (samples, 4, 3), with zeros
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kFloat, at::kDouble, at::kHalf})
    for (const int batch : {0, 1, 2})
      for (const lie lies : {lie::dense, lie::reversed, lie::spread}) {
        const bound x = bind({t.to(type), batch}, at::kFloat, lies);
        const auto ask_for = [&](const auto& lazy, const auto& want) {
          compare({}, lazy(x.leaf), lazy(x.value), [&](const auto& v) { return want(v[0]); }, {x}, {});
        };
        ask_for(f, g);
        ask_for([&](const auto& v) { return f(v, 0_c); }, [&](const at::Tensor& v) { return g(v, 0); });
        ask_for([&](const auto& v) { return f(v, dim = -1, keepdim = true); },
                [&](const at::Tensor& v) { return g(v, -1, true); });
        ask_for([&](const auto& v) { return f(v, list_of(0_c, 2_c)); },
                [&](const at::Tensor& v) { return g(v, at::IntArrayRef{0, 2}, false); });
      }
  for (const at::Tensor& few :
       {at::zeros({0, 3}), at::ones({0, 3}, at::kBool), at::ones({1, 1}, at::kLong), at::zeros({})}) {
    const bound x = leaf(few, static_cast<int>(few.dim()) - 1);
    compare({}, f(x.leaf), f(x.value), [&](const auto& v) { return g(v[0]); }, {x}, {});
    compare({}, f(x.leaf, -1), f(x.value, -1), [&](const auto& v) { return g(v[0], -1); }, {x}, {});
  }
  const at::Tensor odd = at::tensor({NAN, 0.0F, -0.0F, 0.0F, INFINITY, 1.0F}).view({3, 2});  // (3, 2)
  same(f(odd, 1), g(odd, 1));
  check_typed([&](const auto& x) { return f(x, 1_c); }, [&](const at::Tensor& x) { return g(x, 1); },
              std::pair{input<boolean, batch, 3>{}, at::ones({5, 3}, at::kBool)});
}

/// Checks a variance or a standard deviation. `values` makes an operand of the given sizes.
template <class F, class G, class V>
void check_spread(const F& f, const G& g, const V& values) {
  const auto along = [&](const at::Tensor& x) { return g(x, at::IntArrayRef{1}, at::Scalar(1)); };
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = values(s.sizes);
    if (t.numel() < 2) continue;  // for one element the derivatives are infinite: see below
    check(f, g, per_sample(t, s.batch));
    for_dims(s.sizes, [&](int d) {
      if (t.size(d) > 1)
        check([&](const auto& x) { return f(x, dim = d, correction = 0, keepdim = d > 0); },
              [&](const at::Tensor& x) { return g(x, d, 0, d > 0); }, per_sample(t, s.batch));
    });
  }
  for (const int batch : {0, 1, 2})
    check([&](const auto& x) { return f(x, list_of(0_c, -1_c), correction = 2); },
          [&](const at::Tensor& x) { return g(x, at::IntArrayRef{0, -1}, at::Scalar(2)); },
          per_sample(normal({3, 5, 2}), batch));
  const at::Tensor far = normal({8, 3}) + 1e3;  // computed from sums of squares, the variance would lose these digits
  same(f(far), g(far));
  check_typed([&](const auto& x) { return f(x, 1_c); }, along,
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});

  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 1.0F, 2.0F, 2.0F}).view({3, 2});  // (3, 2)
  same(f(odd, -1), g(odd, at::IntArrayRef{-1}, at::Scalar(1)));
  for (const auto& few : {at::ones({}), at::ones({1, 1}), at::ones({0, 3})}) same(f(few), g(few));
  same(f(at::ones({2, 3}), correction = 7), g(at::ones({2, 3}), std::nullopt, at::Scalar(7)));
  // A constant operand has no deviation, and its gradient is zero.
  check({.twice = false}, [&](const auto& x) { return f(x, 1_c); }, along, per_sample(at::ones({3, 2}, at::kDouble)));
}

/// Checks a variance or a standard deviation together with the mean. `f` and `g` return both.
/// `values` makes an operand of the given sizes.
template <class F, class G, class V>
void check_spread_and_mean(const F& f, const G& g, const V& values) {
  check_spread([&](const auto&... x) { return std::get<0>(f(x...)); },
               [&](const auto&... x) { return std::get<0>(g(x...)); }, values);
  const auto mean = [&](const auto&... x) { return std::get<1>(f(x...)); };
  const auto want = [&](const auto&... x) { return std::get<1>(g(x...)); };
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = values(s.sizes);
    if (t.numel() == 0) continue;  // LibTorch warns: see below
    check([&](const auto& x) { return mean(x, correction = 0); },
          [&](const at::Tensor& x) { return want(x, std::nullopt, at::Scalar(0)); }, per_sample(t, s.batch));
    for_dims(s.sizes, [&](int d) {
      check([&](const auto& x) { return mean(x, dim = d, correction = 0, keepdim = d > 0); },
            [&](const at::Tensor& x) { return want(x, d, 0, d > 0); }, per_sample(t, s.batch));
    });
  }
  for (const int batch : {0, 1, 2})
    check([&](const auto& x) { return mean(x, list_of(0_c, -1_c), correction = 2); },
          [&](const at::Tensor& x) { return want(x, at::IntArrayRef{0, -1}, at::Scalar(2)); },
          per_sample(values({3, 5, 2}), batch));
  check_typed([&](const auto& x) { return mean(x, 1_c); },
              [&](const at::Tensor& x) { return want(x, at::IntArrayRef{1}, at::Scalar(1)); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  // A value after an infinity makes LibTorch's running mean NaN; koila's mean is that of `mean`.
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 1.0F, 2.0F, -INFINITY}).view({3, 2});  // (3, 2)
  same(mean(odd, -1), at::mean(odd, -1));
  for (const auto& few : {at::ones({}), at::ones({1, 1}), at::ones({0, 3})}) same(mean(few), want(few));
}

}  // namespace koila::test
