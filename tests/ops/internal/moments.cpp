// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <koila/kernels/table.hpp>

namespace koila::test {

TEST_CASE("moments: equal numbers have no variance, however their sum is rounded") {
  for (const float v : {0.1F, 0.10000001F, 1e-3F, 7.3F, -33.3F})
    for (const std::int64_t n : {3, 5, 6, 7, 10, 11, 49, 100, 1000}) {
      CAPTURE(v, n);
      const at::Tensor rows = at::full({2, n}, v);
      for (const at::Tensor& x : {rows, rows.t().contiguous()}) {  // along rows, along columns
        const index_t over = x.size(0) == 2 ? 1 : 0;
        const at::Tensor variance = moments(x, dim = over)[1];
        CHECK(variance.ge(0).all().item<bool>());
        CHECK(variance.le(1e-12 * v * v).all().item<bool>());
        CHECK(koila::std(x, over).isfinite().all().item<bool>());
      }
    }
}

TEST_CASE("moments") {
  const auto both = [](const at::Tensor& x, at::IntArrayRef over) {
    return at::stack({x.mean(over, true), x.var(over, std::optional<at::Scalar>(0), true)});
  };
  for (const auto& s : some_sizes(1)) {
    if (c10::multiply_integers(s.sizes) == 0) continue;
    const operand x = per_sample(normal(s.sizes), s.batch);
    for_dims(s.sizes, [&](int d) {
      check([=](const auto& t) { return moments(t, dim = d); }, [=](const at::Tensor& t) { return both(t, {d}); }, x);
    });
  }
  for (const int batch : {0, 1, 2, 3}) {  // the samples are reduced, kept or merged
    const operand x = per_sample(normal({3, 4, 2, 5}), batch);
    check([](const auto& t) { return moments(t, list_of(0_c, 2_c, 3_c)); },
          [=](const at::Tensor& t) { return both(t, {0, 2, 3}); }, x);
    check([](const auto& t) { return moments(t, list_of(1_c, 3_c)); },
          [=](const at::Tensor& t) { return both(t, {1, 3}); }, x);
    check([](const auto& t) { return moments(t); }, [=](const at::Tensor& t) { return both(t, {0, 1, 2, 3}); }, x);
  }
  // `wide` is large enough for tiles and blocks. With `far`, sums of squares would cancel.
  const at::Tensor wide = normal({3, 200, 7}), far = normal({5000}) + 1e6;
  const auto near = [](const at::Tensor& got, const at::Tensor& want, double rtol) {
    CHECK(at::allclose(got.to(at::kDouble), want, rtol, 0));
  };
  near(moments(wide, dim = 0_c), both(wide, {0}), 1e-12);
  near(moments(wide, list_of(0_c, 2_c)), both(wide, {0, 2}), 1e-12);
  const at::Tensor wide32 = wide.to(at::kFloat), far32 = far.to(at::kFloat);
  near(moments(wide32, dim = 0_c).select(0, 1), both(wide32.to(at::kDouble), {0}).select(0, 1), 1e-6);
  for (const at::Tensor& t :
       // `left` subtracts a million exactly, so LibTorch's variance of the difference is exact too.
       {far, far32}) {
    if (detail::by_operators_only) break;  // LibTorch's variance of values near a million is off by 4e-4 in float32
    const double tolerance = t.scalar_type() == at::kFloat ? 1e-6 : 1e-12;
    const at::Tensor left = t.to(at::kDouble) - 1e6;
    near(moments(t).select(0, 0), left.mean(0, true) + 1e6, tolerance);
    near(moments(t).select(0, 1), left.var(at::OptionalIntArrayRef(0), std::optional<at::Scalar>(0), true), tolerance);
  }
  same(moments(at::tensor({1.0F, INFINITY})), at::tensor({INFINITY, NAN}).view({2, 1}));
  same(moments(at::ones({0, 2}), 0), at::full({2, 1, 2}, NAN));

  for (const auto type : {at::kHalf, at::kBFloat16}) {  // the partial moments of the chunks are combined in float64
    const at::Tensor narrow = normal({13, 3}).add(2).to(type);
    const bound x = leaf(narrow, 0);
    for (const index_t chunk : {1, 2, 4}) {
      const at::Tensor got = run(moments(x.leaf), {.chunk = chunk}, binding<at::Tensor>{x.leaf.state, narrow});
      near(got, both(narrow.to(at::kDouble), {0, 1}), type == at::kHalf ? 2e-3 : 2e-2);
    }
  }

  const at::Tensor whole_numbers = at::ones({2, 3}, at::kLong), t = at::rand({2, 3});
  refused([&] { moments(whole_numbers); }, "moments: int64[2, 3]: not a floating-point dtype");
  refused([&] { moments(t, 2); }, "moments: [2, 3], dim 2: dimension out of range");
}

TEST_CASE("trials H: numbers whose squares overflow float32 have the moments that float64 gives") {
  const auto near = [](const at::Tensor& got, const at::Tensor& x) {
    const at::Tensor variance = at::var(x, at::OptionalIntArrayRef(1), std::optional<at::Scalar>(0), true);
    const at::Tensor mean = x.to(at::kDouble).mean(1, true).to(x);
    CHECK(at::allclose(got, at::stack({mean, variance}), 1e-5, 0, true));
  };
  for (const auto type : {at::kFloat, at::kBFloat16, at::kDouble})
    for (const double v : {1e30, 3e38, -1e25, 1e300}) {
      if (v == 1e300 && type != at::kDouble) continue;
      for (const std::int64_t n : {1, 3, 7, 50, 1500}) {
        CAPTURE(type, v, n);
        const at::Tensor rows = at::full({2, n}, v, type);
        for (const bool columns : {false, true}) {
          const at::Tensor x = columns ? rows.t().contiguous() : rows;
          const at::Tensor got = moments(x, columns ? 0 : 1);
          CHECK(got[1].eq(0).all().item<bool>());
          CHECK(got[0].eq(x.max()).all().item<bool>());
          CHECK(var(x, dim = columns ? 0 : 1, correction = 0).eq(0).all().item<bool>());
          CHECK(run(var(lazy<batch>(x), dim = columns ? 0 : 1, correction = 0), {.chunk = 1}).eq(0).all().item<bool>());
        }
      }
    }
  // Rows of large numbers together with rows that do not overflow, and rows with infinities and
  // NaN.
  for (const std::int64_t n : {3, 40, 1500}) {
    CAPTURE(n);
    at::Tensor x = normal({6, n}).to(at::kFloat);
    x[1].mul_(1e18), x[2].fill_(2e38), x[3].add_(1).mul_(1e15), x[4][n - 1] = NAN, x[5][n - 1] = INFINITY;
    near(moments(x, 1), x);
    const at::Tensor across = moments(x.t().contiguous(), 0);
    near(across.transpose(1, 2), x);
    x[5][0] = INFINITY;
    near(moments(x, 1), x);
    x[5][1] = -INFINITY;
    near(moments(x, 1), x);
    near(moments(x.t().contiguous(), 0).transpose(1, 2), x);
  }
}

}  // namespace koila::test
