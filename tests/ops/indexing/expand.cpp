// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("expand") {
  const auto f = [](auto... sizes) { return [=](const auto& x) { return expand(x, sizes...); }; };
  const auto g = [](std::vector<std::int64_t> sizes) { return [=](const at::Tensor& x) { return x.expand(sizes); }; };
  for (const auto n : batches) {
    check(f(-1, 4), g({-1, 4}), per_sample(normal({n, 1})));
    check(f(2, -1, -1), g({2, -1, -1}), per_sample(normal({n, 3})));
    check([](const auto& x) { return mul(expand(reshape(x, -1, 1, 3), -1, 2, 3), 2); },
          [](const at::Tensor& x) { return x.unsqueeze(1).expand({-1, 2, 3}) * 2; }, per_sample(normal({n, 3})));
  }
  check(f(2, 3), g({2, 3}), whole(normal({1, 3})));
  check(f(2, 0), g({2, 0}), whole(normal({})));
  check_typed(f(-1_c, 4_c), g({-1, 4}), std::pair{input<batch, 1>{}, normal({5, 1}).to(at::kFloat)});
  check_typed(f(batch, 4_c), g({-1, 4}), std::pair{input<batch, 1>{}, normal({5, 1}).to(at::kFloat)});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(expand(input<batch, 1>{}, 2_c, -1_c, 4_c))>, shape_t<input<2, batch, 4>>>);

  STATIC_REQUIRE(!Accepts<struct internal::expand_op, shape<batch, 3>, decltype(-1_c), decltype(4_c)>);
  const at::Tensor t = at::rand({2, 3});
  refused([&] { expand(t, 2, 4); }, "expand: [2, 3] to [2, 4]: not broadcastable");
  refused([&] { expand(t, -1, 2, 3); }, "expand: [2, 3] to [?, 2, 3]: not broadcastable");
}

}  // namespace koila::test
