// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("argsort") {
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = (normal(s.sizes) * 2).round();  // with ties
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& x) { return argsort(x, dim = d, descending = d > 0); },
              [=](const at::Tensor& x) { return at::argsort(x, true, d, d > 0); }, per_sample(t, s.batch));
  }
  check([](const auto& x) { return argsort(x); }, [](const at::Tensor& x) { return at::argsort(x); },
        whole(normal({})));
  check_typed([](const auto& x) { return argsort(x, 1_c, true); },
              [](const at::Tensor& x) { return at::argsort(x, 1, true); },
              std::pair{input<batch, 37>{}, normal({5, 37}).to(at::kFloat)});
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, -INFINITY, NAN, -0.0F, 0.0F});
  same(argsort(odd), at::argsort(odd, true));
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kHalf}) {
    const bound x = leaf(at::arange(21).view({7, 3}).remainder(5).to(type), 0);  // (samples, 3)
    compare({}, argsort(x.leaf), argsort(x.value), [](const auto& t) { return at::argsort(t[0], true); }, {x},
            {.gradients = false});
    compare({}, argsort(x.leaf, 0), argsort(x.value, 0), [](const auto& t) { return at::argsort(t[0], true, 0); }, {x},
            {.gradients = false});
  }
  const at::Tensor t = at::rand({2, 3});
  refused([&] { argsort(t, dim = 2); }, "argsort: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct argsort, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
