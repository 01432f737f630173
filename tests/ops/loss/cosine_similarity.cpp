// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("cosine_similarity") {
  for (const int d : {0, 1, -1}) {
    const auto f = [=](const auto& x, const auto& y) { return cosine_similarity(x, y, dim = d); };
    const auto g = [=](const at::Tensor& x, const at::Tensor& y) { return at::cosine_similarity(x, y, d); };
    for (const auto& s : {sizes_with_batch{{5, 3}, 0}, {{0, 3}, 0}, {{3, 2, 8}, 2}, {{2, 9, 3}, 1}})
      check(f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch));
    // The gradients of one operand are all 0.
    check(ask{.gradients = false}, f, g, per_sample(normal({5, 1})), whole(normal({1, 3})));
  }
  const auto last = [](const auto& x, const auto& y) { return cosine_similarity(x, y, -1); };
  const auto want_last = [](const at::Tensor& x, const at::Tensor& y) { return at::cosine_similarity(x, y, -1); };
  check(last, want_last, per_sample(normal({5, 3})), whole(normal({1, 3})));
  check(last, want_last, per_sample(normal({5, 3})), whole(normal({3})));
  check(last, want_last, per_sample(normal({5, 1, 3})), whole(normal({2, 3})));
  const auto f = [](const auto& x, const auto& y) { return cosine_similarity(x, y, 0, 0.5); };
  const auto g = [](const at::Tensor& x, const at::Tensor& y) { return at::cosine_similarity(x, y, 0, 0.5); };
  check(f, g, whole(normal({3})), whole(normal({3})));
  const at::Tensor small = at::full({3}, 0.1), zero = at::zeros({3});
  same(f(small, zero), g(small, zero));
  same(f(small, small), g(small, small));
  check_typed([](const auto& x, const auto& y) { return cosine_similarity(x, y, -1_c); },
              [](const at::Tensor& x, const at::Tensor& y) { return at::cosine_similarity(x, y, -1); },
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  // A length below eps is replaced by eps, but the gradient still flows through the length.
  const at::Tensor tiny = normal({5, 3}) * 0.05;
  check(
      ask{.twice = false, .quotients = false},
      [](const auto& u, const auto& v) { return cosine_similarity(u, v, -1, 0.5); },
      [](const at::Tensor& u, const at::Tensor& v) { return at::cosine_similarity(u, v, -1, 0.5); }, per_sample(tiny),
      per_sample(normal({5, 3})));
  const at::Tensor large = at::full({1, 512}, 16.0, at::kHalf);  // the product of the lengths overflows float16
  CHECK(std::abs(cosine_similarity(large, large).item<double>() - 1) <= 2e-3);
  // A zero vector has a finite gradient.
  const bound x = leaf(at::zeros({2, 3}, at::kDouble)), y = leaf(at::ones({2, 3}, at::kDouble));
  CHECK(run(gradient(sum(cosine_similarity(x.leaf, y.leaf)), x.leaf)).isfinite().all().item<bool>());

  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { cosine_similarity(s, t); }, "cosine_similarity: [2, 3] x [2, 4], dim 1: not broadcastable");
  refused([&] { cosine_similarity(s, s, dim = 2); },
          "cosine_similarity: [2, 3] x [2, 3], dim 2: dimension out of range");
  refused([&] { cosine_similarity(whole_numbers, whole_numbers); },
          "cosine_similarity: int64[2, 3] x int64[2, 3], dim 1: not a floating-point dtype");
}

TEST_CASE("trials A1: cosine_similarity refuses a negative eps, and one that the dtype does not hold") {
  const at::Tensor x = at::rand({3, 2});
  for (const double wrong : {-1.0, -1e-8, static_cast<double>(NAN), static_cast<double>(-INFINITY)}) {
    CHECK_THROWS_AS(cosine_similarity(x, x, eps = wrong), shape_error);
    CHECK_THROWS_AS(run(cosine_similarity(lazy<batch>(x), lazy<batch>(x), eps = wrong)), shape_error);
    CHECK_THROWS_AS(at::cosine_similarity(x, x, 1, wrong), c10::Error);
  }
  refused([&] { cosine_similarity(x, x, eps = 1e300); },
          "cosine_similarity: [3, 2] x [3, 2], dim 1: the dtype does not hold the number");
  CHECK_THROWS(at::cosine_similarity(x, x, 1, 1e300));
  for (const double right : {0.0, 1e30})
    same(cosine_similarity(x, x, eps = right), at::cosine_similarity(x, x, 1, right));
}

}  // namespace koila::test
