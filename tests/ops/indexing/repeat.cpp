// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("repeat") {
  const auto f = [](auto... r) { return [=](const auto& x) { return repeat(x, r...); }; };
  const auto g = [](std::vector<std::int64_t> r) { return [=](const at::Tensor& x) { return x.repeat(r); }; };
  for (const auto n : batches) {
    check(f(1, 2), g({1, 2}), per_sample(normal({n, 3})));
    check(f(2, 1), g({2, 1}), per_sample(normal({n, 3})));
    check(f(2, 3, 2), g({2, 3, 2}), per_sample(normal({2, n}), 1));
    // reshape moves the repetitions to a separate dim.
    check([](const auto& x) { return mul(reshape(repeat(x, 3, 1), 3, -1, 2), x); },
          [](const at::Tensor& x) { return x.repeat({3, 1}).view({3, x.size(0), 2}) * x; }, per_sample(normal({n, 2})));
  }
  check(f(0, 1), g({0, 1}), per_sample(normal({5, 2})));
  check(f(1, 1), g({1, 1}), per_sample(normal({5, 2})));
  check(f(list_of(3_c)), g({3}), whole(normal({})));
  check(f(repeats = list_of(1, 2)), g({1, 2}), per_sample(normal({5, 2})));
  check(f(list_of()), g({}), whole(normal({})));
  check_typed(f(1_c, 2_c), g({1, 2}), std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  check_typed(f(2_c, 2_c), g({2, 2}), std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(repeat(input<batch, 3>{}, 2_c, 1_c, 2_c))>, shape_t<input<2, batch, 6>>>);
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
    const at::Tensor t = at::arange(6).view({2, 3}).remainder(5).to(type);
    same(repeat(t, 2, 2), t.repeat({2, 2}));
  }

  const at::Tensor t = at::rand({2, 3});
  refused([&] { repeat(t, 2); }, "repeat: [2, 3] by 2: not each dim is given once");
  refused([&] { repeat(t, 2, -1); }, "repeat: [2, 3] by (2, -1): a size is out of range");
}

}  // namespace koila::test
