// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("prod") {
  const auto f = [](const auto& x) { return prod(x); };
  const auto g = [](const at::Tensor& x) { return at::prod(x); };
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = positive(s.sizes), zeros = normal(s.sizes).clamp_min(-0.7);  // some values are equal
    if (t.numel() < 50) check(f, g, per_sample(t, s.batch));  // for more values, float32 results depend on the order
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& x) { return prod(x, dim = d, keepdim = d > 0); },
              [=](const at::Tensor& x) { return at::prod(x, d, d > 0); }, per_sample(d < 0 ? zeros : t, s.batch));
  }
  for (const int batch : {0, 1, 2}) {
    check([](const auto& x) { return prod(x, list_of(0_c, -1_c)); },
          [](const at::Tensor& x) { return x.prod(-1).prod(0); }, per_sample(positive({3, 5, 2}), batch));
    check([](const auto& x) { return prod(x, keepdim = true); },
          [](const at::Tensor& x) { return x.prod().view({1, 1, 1}); }, per_sample(positive({3, 5, 2}), batch));
  }
  check(f, g, whole(normal({})));
  check([](const auto& x) { return prod(x, 0); }, [](const at::Tensor& x) { return at::prod(x, 0); },
        whole(normal({})));
  check_typed([](const auto& x) { return prod(x, -1_c); }, [](const at::Tensor& x) { return at::prod(x, -1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  // One zero and two zeros: the gradient must not divide by an element.
  const at::Tensor some = at::tensor({2.0, 0.0, 3.0, 5.0, 0.0, 0.0, 7.0, 1.0, 4.0}, at::kDouble).view({3, 3});
  check([](const auto& x) { return prod(x, 1); }, [](const at::Tensor& x) { return at::prod(x, 1); }, per_sample(some));
  check([](const auto& x) { return prod(x, 0); }, [](const at::Tensor& x) { return at::prod(x, 0); }, per_sample(some));

  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, 0.0F, -INFINITY, 2.0F}).view({3, 2});  // (3, 2)
  same(prod(odd, -1), at::prod(odd, -1));
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong})
    for (const int d : {0, 1}) {
      const bound x = leaf(at::arange(21).view({7, 3}).remainder(5).to(type), 0);  // (samples, 3)
      compare({}, prod(x.leaf, d), prod(x.value, d), [=](const auto& t) { return at::prod(t[0], d); }, {x}, {});
      compare({}, prod(x.leaf), prod(x.value), [](const auto& t) { return at::prod(t[0]); }, {x}, {});
    }
  const at::Tensor t = at::rand({2, 3});
  refused([&] { prod(t, dim = 2); }, "prod: [2, 3], dim 2: dimension out of range");
  refused([&] { prod(t, list_of(0, -2)); }, "prod: [2, 3], dims (0, -2): a dim is given twice");
  STATIC_REQUIRE(!Accepts<struct prod, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
