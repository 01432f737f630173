// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("inverse_count") {
  for (const auto& s : some_sizes(1)) {
    const operand x = per_sample(normal(s.sizes), s.batch);
    check([](const auto& t) { return mul(t, inverse_count(t)); },
          [](const at::Tensor& t) { return t * (1.0 / static_cast<double>(t.numel())); }, x);
    check([](const auto& t) { return mul(t, inverse_count(t, dim = -1)); },
          [](const at::Tensor& t) { return t * (1.0 / static_cast<double>(t.size(-1))); }, x);
  }
  check_typed([](const auto& t) { return mul(sum(t, 0_c), inverse_count(t, dim = 0_c)); },
              [](const at::Tensor& t) { return t.mean(0); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  same(inverse_count(at::rand({4, 2, 5}), dim = list_of(0_c, -1_c)), at::full({}, 0.05, at::kDouble));
  same(inverse_count(at::rand({4, 2})), at::full({}, 0.125, at::kDouble));
  STATIC_REQUIRE(!Accepts<struct inverse_count, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
