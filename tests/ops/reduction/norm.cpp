// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("norm") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const double order : {2.0, 1.0, 0.0, 3.0, 1.5, 0.5, inf, -inf})
    for (const auto& s : some_sizes(2, 3)) {
      const at::Tensor t = normal(s.sizes);
      if (t.numel() == 0) continue;
      check([=](const auto& x) { return norm(x, order); }, [=](const at::Tensor& x) { return at::norm(x, order); },
            per_sample(t, s.batch));
      for (const int d : {0, -1})
        if (t.size(d) > 1)
          check([=](const auto& x) { return norm(x, ops::p = order, dim = d, keepdim = d == 0); },
                [=](const at::Tensor& x) { return at::norm(x, order, d, d == 0); }, per_sample(t, s.batch));
    }
  for (const int batch : {0, 1, 2})
    check([](const auto& x) { return norm(x, 2, list_of(0_c, -1_c)); },
          [](const at::Tensor& x) { return at::norm(x, at::Scalar(2), at::IntArrayRef{0, -1}, false); },
          per_sample(normal({3, 5, 2}), batch));
  check_typed([](const auto& x) { return norm(x, dim = 1_c); }, [](const at::Tensor& x) { return at::norm(x, 2, 1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  // Zeros together with other values, and only zeros: the gradient is 0, as in LibTorch.
  for (const double order : {2.0, 1.0, 3.0, 1.5, 0.5, inf})
    check(
        {.twice = false}, [=](const auto& x) { return norm(x, order, 1_c); },
        [=](const at::Tensor& x) { return at::norm(x, order, 1); },
        per_sample(at::tensor({0.0, 0.0, 1.0, 0.0, -2.0, 3.0}, at::kDouble).view({3, 2})));
  // Negative orders: a single zero makes the norm 0 and the norm's gradient 0, as in LibTorch.
  const at::Tensor rows = at::tensor({0.0, 1.0, 2.0, 3.0, -0.5, 2.0, -1.0, 4.0, -0.0}, at::kDouble).view({3, 3});
  for (const double order : {-1.0, -2.0, -0.5}) {
    const auto of_rows = [=](const auto& x) { return norm(x, order, -1); };
    const auto want = [=](const at::Tensor& x) { return at::norm(x, order, -1); };
    check(of_rows, want, per_sample(normal({5, 3}).sign() * positive({5, 3})));
    check([=](const auto& x) { return norm(x, order); }, [=](const at::Tensor& x) { return at::norm(x, order); },
          per_sample(positive({5, 3})));
    check({.twice = false, .quotients = false}, of_rows, want, per_sample(rows));
    for (const at::Tensor& t : {rows, at::tensor({1e-25F, 2.0F, INFINITY, 3.0F, NAN, 0.0F}).view({3, 2})})
      same(norm(t, order, -1), at::linalg_vector_norm(t, order, at::IntArrayRef{-1}));
  }
  CHECK(norm(at::tensor({0.0, 1.0, 2.0}), -1).item<double>() == 0);
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 1.0F, -INFINITY, 0.0F}).view({3, 2});  // (3, 2)
  for (const double order : {2.0, 1.0, 0.0, 3.0, inf, -inf}) same(norm(odd, order, -1), at::norm(odd, order, -1));

  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong), none = at::rand({0, 3});
  refused([&] { norm(t, dim = 2); }, "norm: [2, 3], dim 2: dimension out of range");
  refused([&] { norm(whole_numbers); }, "norm: int64[2, 3]: not a floating-point dtype");
  refused([&] { norm(none, inf); }, "norm: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct norm, shape<batch, 3>, decltype(kernel_size = 2_c)>);
}

TEST_CASE("trials A1: the norm of one element is its absolute value, whatever the order") {
  const at::Tensor one = at::tensor({-0.875F}), rows = normal({3, 1}).to(at::kFloat);
  for (const double order : {1e19, 7e4, 300.0, 2.0, 1.0, 0.5, 1e-300, 0.0, -0.5, -1.0, -300.0}) {
    CAPTURE(order);
    same(norm(one, ops::p = order), at::norm(one, order));
    same(norm(rows, ops::p = order, dim = 1), at::norm(rows, order, 1));
    same(run(norm(lazy<batch>(rows), ops::p = order, dim = 1), {.chunk = 1}), at::norm(rows, order, 1));
  }
  same(norm(one * 1e30F, dim = 0), one.abs().squeeze() * 1e30F);
}

}  // namespace koila::test
