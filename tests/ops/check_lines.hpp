// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of ops along one dim. `f` is the op and `g` is LibTorch's operator.
// Both take a tensor and a dim.
#include "check.hpp"

namespace koila::test {

/// Checks cumulative sums or products: cumsum, cumprod.
template <class F, class G>
void check_cumulative(const F& f, const G& g) {
  for (const auto& s : some_sizes(1))
    for_dims(s.sizes, [&](int d) {
      check([&](const auto& x) { return f(x, dim = d); }, [&](const at::Tensor& x) { return g(x, d); },
            per_sample(d < 0 ? normal(s.sizes).clamp_min(-0.5) : positive(s.sizes), s.batch));
    });
  const auto last = [&](const auto& x) { return f(x, -1_c); };
  const auto want = [&](const at::Tensor& x) { return g(x, -1); };
  check(last, want, whole(normal({3, 4})));
  check(last, want, whole(normal({})));
  check(last, want, per_sample(at::tensor({2.0, 0.0, 3.0, 5.0, 0.0, 0.0, 7.0, 1.0, 4.0}, at::kDouble).view({3, 3})));
  check_typed(last, want, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const at::Tensor odd = at::tensor({1.0F, NAN, 1.0F, INFINITY, 0.0F, -INFINITY}).view({2, 3});  // (2, 3)
  same(last(odd), want(odd));
  check_other_dtypes(f, g);
}

/// Compares `f` of short and long float32 rows with `g` of the same values in float64. Each
/// function of `make` returns a float64 operand of the given sizes.
template <class F, class G, class... Make>
void check_rows(const F& f, const G& g, const Make&... make) {
  for (const std::int64_t rows : {1, 7, 16, 33})
    for (const std::int64_t n : {1, 2, 3, 10, 31, 32, 48, 49, 64, 100, 1000, 1024, 1025, 3000}) {
      CAPTURE(rows, n);
      const auto compared = [&](const auto&... x) {
        const at::Tensor got = f(x.to(at::kFloat)...), want = g(x.to(at::kFloat).to(at::kDouble)...);
        CHECK(got.scalar_type() == at::kFloat);
        CHECK(at::allclose(got.to(at::kDouble), want, 1e-6, 5e-7 * want.abs().max().template item<double>()));
      };
      compared(make({rows, n})...);
    }
}

/// Checks softmax or log_softmax.
template <class F, class G>
void check_softmax(const F& f, const G& g) {
  for (const auto& s : some_sizes(1))
    for_dims(s.sizes, [&](int d) {
      check([&](const auto& x) { return f(x, dim = d); }, [&](const at::Tensor& x) { return g(x, d); },
            per_sample(normal(s.sizes), s.batch));
    });
  const auto last = [&](const auto& x) { return f(x, -1_c); };
  const auto want = [&](const at::Tensor& x) { return g(x, -1); };
  check(last, want, whole(normal({3, 4})));
  check(last, want, whole(normal({})));
  check(last, want, per_sample(normal({3, 37}) * 50));
  check_typed(last, want, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  check_typed([&](const auto& x) { return f(x, dim = 0_c); }, [&](const at::Tensor& x) { return g(x, 0); },
              std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 0.0F, -INFINITY, 1.0F}).view({3, 2});  // (3, 2)
  same(last(odd), want(odd));
  const at::Tensor wide = odd.view({2, 3}).repeat({1, 40});  // (2, 120): a long row
  same(last(wide), want(wide));
  check_rows(last, want, [](at::IntArrayRef sizes) { return normal(sizes) * 5; });
}

/// Checks the pull-back of softmax or log_softmax. `y` computes the forward result. `g` is
/// LibTorch's operator of dy, y and a dim.
template <class F, class G, class Y>
void check_softmax_backward(const F& f, const G& g, const Y& y) {
  for (const auto& s : some_sizes(1))
    for_dims(s.sizes, [&](int d) {
      check([&](const auto& dy, const auto& v) { return f(dy, v, dim = d); },
            [&](const at::Tensor& dy, const at::Tensor& v) { return g(dy, v, d); },
            per_sample(normal(s.sizes), s.batch), per_sample(y(normal(s.sizes), d), s.batch));
    });
  const auto last = [&](const auto& dy, const auto& v) { return f(dy, v, -1_c); };
  const auto want = [&](const at::Tensor& dy, const at::Tensor& v) { return g(dy, v, -1); };
  check(last, want, whole(normal({3, 4})), whole(y(normal({3, 4}), -1)));
  check_typed(last, want, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{input<batch, 3>{}, y(normal({5, 3}), -1).to(at::kFloat)});
  check_rows(last, want, normal, [&](at::IntArrayRef sizes) { return y(normal(sizes), -1); });
}

}  // namespace koila::test
