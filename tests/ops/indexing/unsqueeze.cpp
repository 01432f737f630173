// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("unsqueeze") {
  for (const auto& s : some_sizes(1, 3))
    for (const int d : {0, 1, -1, -2})
      check([=](const auto& x) { return unsqueeze(x, d); }, [=](const at::Tensor& x) { return x.unsqueeze(d); },
            per_sample(normal(s.sizes), s.batch));
  check([](const auto& x) { return unsqueeze(x, dim = -1); }, [](const at::Tensor& x) { return x.unsqueeze(-1); },
        whole(normal({})));
  for (const auto n : batches)  // all pairs of columns
    check([](const auto& x) { return mul(unsqueeze(x, 1_c), unsqueeze(koila::exp(x), 2_c)); },
          [](const at::Tensor& x) { return x.unsqueeze(1) * x.exp().unsqueeze(2); }, per_sample(normal({n, 3})));
  check([](const auto& x) { return mul(unsqueeze(x, 1_c), unsqueeze(x, 0_c)); },  // all pairs of samples
        [](const at::Tensor& x) { return x.unsqueeze(1) * x.unsqueeze(0); }, per_sample(normal({5, 3})));
  check_typed([](const auto& x) { return unsqueeze(x, 1_c); }, [](const at::Tensor& x) { return x.unsqueeze(1); },
              std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(unsqueeze(input<batch, 4>{}, -1_c))>, shape_t<input<batch, 4, 1>>>);
  same(unsqueeze(at::arange(3), 0), at::arange(3).unsqueeze(0));

  const at::Tensor t = at::rand({2, 3}), full = at::zeros({1, 1, 1, 1, 1, 1, 1, 1});
  refused([&] { unsqueeze(t, 3); }, "unsqueeze: [2, 3], dim 3: dimension out of range");
  refused([&] { unsqueeze(full, 0); }, "unsqueeze: [1, 1, 1, 1, 1, 1, 1, 1], dim 0: more than 8 dimensions");
}

}  // namespace koila::test
