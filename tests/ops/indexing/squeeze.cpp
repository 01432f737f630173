// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("squeeze") {
  const auto f = [](int d) { return [=](const auto& x) { return squeeze(x, dim = d); }; };
  const auto g = [](int d) { return [=](const at::Tensor& x) { return x.squeeze(d); }; };
  const auto all = [](const auto& x) { return squeeze(x); };
  for (const auto n : batches) {
    for (const int d : {1, -1, 2}) {
      check(f(d), g(d), per_sample(normal({n, 1, 2})));
      check(f(d), g(d), per_sample(normal({n, 1, 1})));
    }
    check(f(0), g(0), per_sample(normal({1, n}), 1));
    if (n == 1) continue;  // for a batch of one sample, LibTorch squeezes the batch dim too
    check(all, [](const at::Tensor& x) { return x.squeeze(); }, per_sample(normal({1, n, 1, 2, 1}), 1));
    check(f(0), g(0), per_sample(normal({n, 2})));
  }
  const input<float64, 1, batch> one{"one"};
  same(run(squeeze(one), one = at::ones({1, 1}, at::kDouble)), at::ones({1}, at::kDouble));
  check(all, [](const at::Tensor& x) { return x.squeeze(); }, whole(normal({1, 3, 1, 1})));
  check(all, [](const at::Tensor& x) { return x.squeeze(); }, whole(normal({})));
  check(f(-1), g(-1), whole(normal({})));
  // A merged dim of extent 1 does not count as an axis.
  check([](const auto& x) { return squeeze(flatten(x)); }, [](const at::Tensor& x) { return x.flatten().squeeze(); },
        per_sample(normal({1, 1})));
  check([](const auto& x) { return mul(squeeze(transpose(relu(x), 0, 2), 1), 2); },
        [](const at::Tensor& x) { return x.relu().transpose(0, 2).squeeze(1) * 2; }, per_sample(normal({5, 1, 3})));
  check_typed([](const auto& x) { return squeeze(x, -1_c); }, [](const at::Tensor& x) { return x.squeeze(-1); },
              std::pair{input<batch, 4, 1>{}, normal({5, 4, 1}).to(at::kFloat)});
  check_typed(
      all, [](const at::Tensor& x) { return x.squeeze(); },
      std::pair{input<batch, 1, 4, 1>{}, normal({5, 1, 4, 1}).to(at::kFloat)});
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(squeeze(input<batch, 1, 4, 1>{}))>, shape_t<input<batch, 4>>>);
  STATIC_REQUIRE(!shape_t<decltype(squeeze(input<batch, any>{}))>::value.ranked());
  same(squeeze(at::arange(3).view({1, 3})), at::arange(3));

  const at::Tensor t = at::rand({2, 3});
  refused([&] { squeeze(t, 2); }, "squeeze: [2, 3], dim 2: dimension out of range");
}

}  // namespace koila::test
