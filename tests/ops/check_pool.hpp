// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of pooling. `f` is the op and `g` is LibTorch's operator. The windows
// slide over dims of the sizes `over`.
#include "check.hpp"

namespace koila::test {

using extents = std::vector<std::int64_t>;

inline auto concatenated(extents a, const extents& b) -> extents {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Checks the batch dim at different positions, an empty batch, one sample, and no batch dim.
template <class F, class G>
void check_places(const F& f, const G& g, const extents& over) {
  for (const std::int64_t n : {0, 1, 5}) check(f, g, per_sample(normal(concatenated({n, 2}, over))));
  check(f, g, whole(normal(concatenated({2}, over))));
  check(f, g, per_sample(normal(concatenated({2, 3}, over)), 2));
}

/// Requires that koila and LibTorch either both refuse a call, or both return the same result.
template <class F, class G>
void both_or_none(const F& f, const G& g, const at::Tensor& x) {
  CAPTURE(x.sizes());
  std::optional<at::Tensor> want;
  try {
    want = g(x);
  } catch (const c10::Error&) {}
  if (want) return same(f(x), *want);
  CHECK_THROWS_AS(f(x), shape_error);
  CHECK_THROWS_AS(run(f(lazy(x))), shape_error);
  CHECK_THROWS_AS(run(f(lazy<batch>(x))), shape_error);
}

/// Checks which paddings, kernels and empty dims are refused. Calls f(x, kernel_size, stride,
/// padding, dilation, ceil_mode), where x has n spatial dims. Average pooling has no dilation
/// except 1.
template <class F, class G>
void check_refused_windows(const F& f, const G& g, std::size_t n, const std::vector<std::int64_t>& dilations) {
  for (const std::int64_t extent : {0, 1, 3, 6})
    for (const std::int64_t kernel : {1, 2, 3, 4, 5})
      for (const std::int64_t padding : {0, 1, 2, 3})
        for (const std::int64_t dilation : dilations)
          for (const bool ceil : {false, true}) {
            CAPTURE(kernel, padding, dilation, ceil);
            const auto call = [=](const auto& made) {
              return [=](const auto& x) { return made(x, kernel, std::int64_t{2}, padding, dilation, ceil); };
            };
            const at::Tensor some = normal(concatenated({2, 2}, extents(n, extent)));
            both_or_none(call(f), call(g), some);
            extents last = concatenated({2, 2}, extents(n, 5));
            last.back() = extent;
            both_or_none(call(f), call(g), normal(last));
          }
}

/// Checks average pooling. Calls f(x, kernel_size, stride, padding, ceil_mode, count_include_pad,
/// divisor).
template <class F, class G>
void check_avg_pool(const F& f, const G& g, const extents& over) {
  struct config {
    std::int64_t kernel, stride, padding;
    bool ceil, with_padding;
    std::int64_t divisor;
  };
  const extents all = concatenated({3, 2}, over);
  for (const config c :
       {config{2, 2, 0, false, true, 0}, config{3, 1, 1, false, false, 0}, config{3, 2, 1, true, true, 0},
        config{3, 2, 1, true, false, 0}, config{2, 3, 0, true, true, 5}, config{1, 1, 0, false, true, 0}}) {
    const auto pool = [=](const auto& x) {
      return f(x, c.kernel, c.stride, c.padding, c.ceil, c.with_padding, c.divisor);
    };
    const auto want = [=](const at::Tensor& x) {
      return g(x, c.kernel, c.stride, c.padding, c.ceil, c.with_padding, c.divisor);
    };
    check(pool, want, per_sample(normal(all)));
    check(ask{.twice = false}, pool, want, per_sample(normal(all), 1));
  }
}

/// Checks maximum pooling. Calls f(x, kernel_size, stride, padding, dilation, ceil_mode).
template <class F, class G>
void check_max_pool(const F& f, const G& g, const extents& over) {
  struct config {
    std::int64_t kernel, stride, padding, dilation;
    bool ceil;
  };
  const extents all = concatenated({3, 2}, over);
  for (const config c : {config{2, 2, 0, 1, false}, config{3, 1, 1, 1, false}, config{2, 3, 1, 1, true},
                         config{2, 2, 1, 2, true}, config{3, 2, 0, 1, true}, config{1, 1, 0, 1, false}}) {
    const auto pool = [=](const auto& x) { return f(x, c.kernel, c.stride, c.padding, c.dilation, c.ceil); };
    const auto want = [=](const at::Tensor& x) { return g(x, c.kernel, c.stride, c.padding, c.dilation, c.ceil); };
    check(pool, want, per_sample(normal(all)));
    // Signs as values give many equal maxima. The channels are the samples.
    check(ask{.twice = false}, pool, want, per_sample(normal(all).sign(), 1));
  }
  const auto two = [&](const auto& x) { return f(x, 2); };
  const auto want = [&](const at::Tensor& x) { return g(x, 2); };
  check_places(two, want, over);
  const bound odd = leaf(at::where(normal(all) > 0.8, NAN, at::where(normal(all) > 0, -INFINITY, 1.0)), 0);
  compare({}, two(odd.leaf), two(odd.value), [&](const auto& t) { return want(t[0]); }, {odd}, {.gradients = false});
  const at::Tensor dy = want(odd.value), seen = odd.value.detach().set_requires_grad(true);
  want(seen).backward(at::ones_like(dy));
  pool_of p;
  p.n = static_cast<int>(over.size()), p.kernel_size = 2;
  same(max_pool_backward(at::ones_like(dy), odd.value, pooling = p), seen.grad());
}

/// Checks inputs with NaN and infinity.
template <class F, class G>
void check_odd(const F& f, const G& g, const extents& over) {
  const extents all = concatenated({2, 3}, over);
  const at::Tensor odd = at::where(normal(all) > 1, NAN, at::where(normal(all) > 1, INFINITY, 1.0));
  same(f(odd), g(odd));
}

/// Checks power-average pooling. Calls f(x, norm_type, kernel_size, stride, ceil_mode).
template <class F, class G>
void check_lp_pool(const F& f, const G& g, const extents& over) {
  const extents all = concatenated({3, 2}, over);
  struct config {
    double norm;
    std::int64_t kernel, stride;
    bool ceil;
  };
  const auto both = [&](const config& c, const auto& compared) {
    compared([=](const auto& x) { return f(x, c.norm, c.kernel, c.stride, c.ceil); },
             [=](const at::Tensor& x) { return g(x, c.norm, c.kernel, c.stride, c.ceil); });
  };
  for (const config c : {config{2, 2, 2, false}, config{2, 3, 2, true}, config{1, 2, 1, false}, config{3, 3, 3, true},
                         config{0.5, 2, 3, true}, config{1.5, 1, 1, false}, config{-1, 2, 2, false}})
    both(c, [&](const auto& pool, const auto& want) {
      check(pool, want, per_sample(positive(all)));
      check(ask{.twice = false}, pool, want, per_sample(positive(all), 1));
    });
  both({2, 2, 2, false}, [&](const auto& pool, const auto& want) { check_places(pool, want, over); });
  // Negative sums: those of an odd power, and those of the first power, which have both signs.
  const at::Tensor drawn = normal(all);
  for (const config c : {config{1, 2, 2, false}, config{3, 2, 2, true}, config{0, 2, 2, false}})
    both(c, [&](const auto& pool, const auto& want) {
      same(pool(drawn), want(drawn));
      same(pool(drawn.to(at::kFloat)), want(drawn.to(at::kFloat)), false);
    });
  // The gradient of a window of zeros is 0, and so is that of a window whose sum is 0.
  at::Tensor zeros = positive(all);
  zeros.select(0, 1).zero_();
  for (const double norm : {1.0, 2.0, 3.0})
    both({norm, 2, 2, true}, [&](const auto& pool, const auto& want) {
      check({.twice = false, .quotients = false}, pool, want, per_sample(zeros));
      check({.twice = false, .quotients = false}, pool, want, per_sample(at::where(drawn > 0, 1.0, -1.0).pow(norm)));
    });
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong})
    both({2, 2, 2, false}, [&](const auto& pool, const auto& want) {
      const at::Tensor whole_numbers = drawn.abs().mul(3).to(type);
      same(pool(whole_numbers), want(whole_numbers));
    });
  for (const auto type : {at::kHalf, at::kBFloat16})  // computed in float32
    both({2, 2, 2, false}, [&](const auto& pool, const auto& want) {
      const at::Tensor large = drawn.mul(300).to(type), y = pool(large);
      CHECK(y.scalar_type() == type);
      CHECK(at::allclose(y.to(at::kFloat), want(large.to(at::kFloat)), 8e-3));
    });
  for (const double norm : {1.0, 2.0, 3.0, -2.0})
    both({norm, 2, 2, true}, [&](const auto& pool, const auto& want) { check_odd(pool, want, over); });
}

/// Checks pooling to the output sizes `sizes`. Calls f(x, sizes).
template <std::size_t N, class F, class G>
void check_adaptive_pool(const F& f, const G& g, const extents& over,
                         const std::vector<std::array<std::int64_t, N>>& sizes, bool ties) {
  const extents all = concatenated({3, 2}, over);
  for (const auto& s : sizes) {
    const auto pool = [&](const auto& x) { return std::apply([&](auto... n) { return f(x, list_of(n...)); }, s); };
    const auto want = [&](const at::Tensor& x) -> at::Tensor { return g(x, s); };
    check(pool, want, per_sample(normal(all)));
    check(ask{.twice = false}, pool, want, per_sample(ties ? normal(all).sign() : normal(all), 1));
  }
  const auto two = [&](const auto& x) { return f(x, output_size = 2); };
  const auto want = [&](const at::Tensor& x) -> at::Tensor { return g(x, extents(N, 2)); };
  check_places(two, want, over);
  check_odd(two, want, over);
}

}  // namespace koila::test
