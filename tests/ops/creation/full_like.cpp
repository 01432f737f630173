// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("full_like") {
  const auto f = [](const auto& x) { return full_like(x, -0.5); };
  const auto g = [](const at::Tensor& x) { return at::full_like(x, -0.5); };
  for (const auto& s : some_sizes(1, 3)) check(f, g, per_sample(normal(s.sizes), s.batch));
  check([](const auto& x) { return mul(full_like(x, fill_value = 2), x); }, [](const at::Tensor& x) { return x * 2; },
        per_sample(normal({5, 3})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
    const at::Tensor t = at::ones({2, 3}, type);
    same(full_like(t, 1), at::full_like(t, 1));
  }
  STATIC_REQUIRE(!Accepts<struct full_like, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
