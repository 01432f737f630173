// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("ones_like") {
  const auto f = [](const auto& x) { return ones_like(x); };
  const auto g = [](const at::Tensor& x) { return at::ones_like(x); };
  for (const auto& s : some_sizes(1, 3)) check(f, g, per_sample(normal(s.sizes), s.batch));
  check([](const auto& x) { return add(mul(ones_like(relu(x)), x), x); },
        [](const at::Tensor& x) { return at::ones_like(x) * x + x; }, per_sample(normal({5, 3})));
  check(f, g, whole(normal({})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf})
    same(f(at::ones({2, 3}, type)), g(at::ones({2, 3}, type)));
  same(f(at::full({2}, NAN)), g(at::full({2}, NAN)));
  STATIC_REQUIRE(!Accepts<struct ones_like, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
