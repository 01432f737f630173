// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("logsumexp") {
  const auto all = [](const auto& x) { return logsumexp(x); };
  const auto all_of = [](const at::Tensor& x) { return x.flatten().logsumexp(0); };
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = normal(s.sizes) * 5;
    check(all, all_of, per_sample(t, s.batch));
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& x) { return logsumexp(x, dim = d, keepdim = d > 0); },
              [=](const at::Tensor& x) { return at::logsumexp(x, d, d > 0); }, per_sample(t, s.batch));
  }
  for (const int batch : {0, 1, 2})
    check([](const auto& x) { return logsumexp(x, list_of(0_c, -1_c)); },
          [](const at::Tensor& x) { return at::logsumexp(x, at::IntArrayRef{0, -1}); },
          per_sample(normal({3, 5, 2}), batch));
  const at::Tensor far = normal({4, 3}) + 1e3;  // the exponentials are infinite
  same(logsumexp(far, -1), at::logsumexp(far, -1));
  check(all, all_of, whole(normal({})));
  check_typed([](const auto& x) { return logsumexp(x, 1_c); }, [](const at::Tensor& x) { return at::logsumexp(x, 1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});

  const at::Tensor odd =
      at::tensor({NAN, 1.0F, INFINITY, 1.0F, -INFINITY, 1.0F, -INFINITY, -INFINITY, 1e30F, 0.0F, INFINITY, -INFINITY})
          .view({6, 2});  // (6, 2)
  same(logsumexp(odd, -1), at::logsumexp(odd, -1));
  for (const auto type : {at::kByte, at::kInt, at::kLong}) {
    const bound x = leaf(at::arange(21).view({7, 3}).remainder(5).to(type), 0);  // (samples, 3)
    compare({}, logsumexp(x.leaf, 0), logsumexp(x.value, 0), [](const auto& t) { return at::logsumexp(t[0], 0); }, {x},
            {});
  }
  // If one element is infinite, all other elements have slope 0, however large they are.
  for (const auto type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16}) {
    const at::Tensor odd =
        at::tensor({INFINITY, 90.0F, 1.0F, -INFINITY, INFINITY, -INFINITY, 12.0F, 700.0F}).view({2, 4}).to(type);
    const bound x = leaf(odd, 0);
    const auto y = logsumexp(x.leaf, dim = 1);
    const binding<at::Tensor> b{x.leaf.state, odd};
    CHECK(run(y, b).eq(INFINITY).all().item<bool>());
    const at::Tensor slope = run(gradient(sum(y), x.leaf), b);
    CHECK(slope.select(1, 0).isnan().all().item<bool>());
    CHECK(slope.narrow(1, 1, 3).eq(0).all().item<bool>());
  }
  const at::Tensor t = at::rand({2, 3});
  refused([&] { logsumexp(t, dim = 2); }, "logsumexp: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct logsumexp, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
