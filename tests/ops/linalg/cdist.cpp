// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/cdist.h>

namespace koila::test {

namespace {

/// The p-norms of all differences, which LibTorch can differentiate twice.
auto norms_of_pairs(const at::Tensor& x1, const at::Tensor& x2, double order) -> at::Tensor {
  return at::norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), order, -1);
}

/// Pairs of lists of points. The samples are points, lists of points, or coordinates.
auto lists_of_points() -> std::vector<std::pair<operand, operand>> {
  std::vector<std::pair<operand, operand>> all{{whole(normal({3, 4})), whole(normal({2, 4}))},
                                               {whole(normal({2, 3, 4})), whole(normal({2, 1, 4}))},
                                               {whole(normal({3, 1})), whole(normal({2, 1}))}};
  for (const std::int64_t n : {0, 1, 5}) {
    all.push_back({per_sample(normal({n, 3})), whole(normal({4, 3}))});
    all.push_back({whole(normal({4, 3})), per_sample(normal({n, 3}))});
    all.push_back({per_sample(normal({n, 3})), per_sample(normal({n, 3}))});
    all.push_back({per_sample(normal({n, 2, 3})), whole(normal({4, 3}))});
    all.push_back({whole(normal({4, 3})), per_sample(normal({n, 2, 3}))});
    all.push_back({per_sample(normal({n, 2, 3})), per_sample(normal({n, 4, 3}))});
    all.push_back({per_sample(normal({2, n, 3}), 1), whole(normal({2, 4, 3}))});
    all.push_back({whole(normal({2, 4, 3})), per_sample(normal({2, n, 3}), 1)});
    all.push_back({per_sample(normal({n, 1, 2, 3})), whole(normal({2, 4, 3}))});
    all.push_back({whole(normal({1, 4, 3})), per_sample(normal({n, 2, 3}))});
  }
  for (const std::int64_t n : {1, 5})  // without coordinates, all distances are 0: see below
    all.push_back({per_sample(normal({4, n}), 1), per_sample(normal({2, n}), 1)});
  return all;
}

}  // namespace

TEST_CASE("cdist") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const double order : {2.0, 1.0, 3.0, 1.5, 0.5, inf, 0.0}) {
    CAPTURE(order);
    const auto f = [=](const auto& a, const auto& b) { return cdist(a, b, order); };
    const auto by_cdist = [=](const at::Tensor& a, const at::Tensor& b) { return at::cdist(a, b, order, 2); };
    const auto by_norms = [=](const at::Tensor& a, const at::Tensor& b) { return norms_of_pairs(a, b, order); };
    for (const auto& [a, b] : lists_of_points()) {
      check({.twice = false}, f, by_cdist, a, b);
      check(f, by_norms, a, b);
    }
  }
  const auto f = [](const auto& a, const auto& b) { return cdist(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::cdist(a, b); };
  check({.twice = false}, f, g, per_sample(normal({5, 3})), whole(normal({4, 3})));
  // More points than LibTorch computes without matrix products.
  const at::Tensor many = normal({40, 3}), others = normal({30, 3});
  same(f(many, others), at::cdist(many, others, 2.0, 2));
  CHECK(at::allclose(f(many, others), g(many, others), 1e-7, 1e-7));
  check_typed([](const auto& a, const auto& b) { return cdist(a, b, ops::p = 3_c); },
              [](const at::Tensor& a, const at::Tensor& b) { return norms_of_pairs(a, b, 3); },
              std::pair{input<batch, 2, 4>{}, normal({5, 2, 4}).to(at::kFloat)},
              std::pair{parameter<3, 4>{}, normal({3, 4}).to(at::kFloat)});
}

TEST_CASE("cdist of equal points, of points without coordinates, and of NaN and infinity") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  // The gradient of a distance of 0 is 0, also the distance between a point and itself.
  const at::Tensor points = at::tensor({0.0, 0.0, 1.0, 2.0, 0.0, 0.0}, at::kDouble).view({3, 2});
  for (const double order : {2.0, 1.0, 3.0, 1.5, 0.5, inf}) {
    CAPTURE(order);
    const auto f = [=](const auto& a, const auto& b) { return cdist(a, b, order); };
    const auto to_itself = [=](const auto& a) { return cdist(a, a, order); };
    check(
        {.twice = false, .quotients = false}, f,
        [=](const at::Tensor& a, const at::Tensor& b) { return at::cdist(a, b, order, 2); }, per_sample(points),
        whole(points.slice(0, 1)));
    check(
        {.twice = false, .quotients = false}, to_itself, [=](const at::Tensor& a) { return at::cdist(a, a, order, 2); },
        per_sample(points));
    const input<float64, batch, 2> x{"x"};
    const auto twice = gradient(sum(mul(gradient(sum(to_itself(x)), x), x)), x);
    CHECK(run(twice, x = points).isfinite().all().item<bool>());
  }
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 2.0F, -INFINITY, 0.0F}).view({3, 2});  // (3, 2)
  for (const double order : {2.0, 1.0, 0.0, 3.0, inf}) same(cdist(odd, odd, order), at::cdist(odd, odd, order));
  const auto f = [](const auto& a, const auto& b) { return cdist(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::cdist(a, b); };
  check({.twice = false}, f, g, per_sample(normal({5, 0})), whole(normal({3, 0})));
  check({.twice = false}, f, g, per_sample(normal({4, 0}), 1), per_sample(normal({2, 0}), 1));
  check({.twice = false}, f, g, whole(normal({0, 3})), whole(normal({0, 3})));
  for (const auto type : {at::kHalf, at::kBFloat16}) {  // computed in float32
    const at::Tensor a = normal({5, 3}).mul(200).to(type), b = normal({4, 3}).to(type);
    const at::Tensor y = f(a, b);
    CHECK(y.scalar_type() == type);
    CHECK(at::allclose(y.to(at::kFloat), g(a.to(at::kFloat), b.to(at::kFloat)), 8e-3));
  }
}

TEST_CASE("cdist refuses") {
  const at::Tensor a = at::rand({3, 4}), b = at::rand({2, 5}), line = at::rand({4}),
                   wide = at::rand({2, 4}, at::kDouble), whole_numbers = at::ones({2, 4}, at::kLong),
                   three = at::rand({3, 2, 4}), two = at::rand({2, 2, 4});
  refused([&] { cdist(a, b); }, "cdist: [3, 4] x [2, 5]: inner dimensions differ");
  refused([&] { cdist(a, line); }, "cdist: [3, 4] x [4]: no rule for these ranks");
  refused([&] { cdist(a, wide); }, "cdist: [3, 4] x float64[2, 4]: dtypes differ");
  refused([&] { cdist(whole_numbers, whole_numbers); }, "cdist: int64[2, 4] x int64[2, 4]: not a floating-point dtype");
  refused([&] { cdist(three, two); }, "cdist: [3, 2, 4] x [2, 2, 4]: batch dimensions differ");
  refused([&] { cdist(a, a, -1); }, "cdist: [3, 4] x [3, 4]: a size is out of range");
  refused([&] { cdist(a, a, std::nan("")); }, "cdist: [3, 4] x [3, 4]: a size is out of range");
  refused([&] { cdist(a, a, 1e300); }, "cdist: [3, 4] x [3, 4]: the dtype does not hold the number");
  STATIC_REQUIRE(
      std::same_as<result_of<struct cdist, shape<batch, 3, 4>, shape<5, 4>>, shape<batch, index_t{3}, index_t{5}>>);
  STATIC_REQUIRE(!Accepts<struct cdist, shape<batch, 3>, shape<5, 4>>);
}

}  // namespace koila::test
