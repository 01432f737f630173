// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("inverse_degrees") {
  for (const auto& s : some_sizes(1)) {
    const operand x = per_sample(normal(s.sizes), s.batch);
    check([](const auto& t) { return mul(t, inverse_degrees(t, -1, correction = 0.5)); },
          [](const at::Tensor& t) { return t.size(-1) == 0 ? t : t * (1.0 / (static_cast<double>(t.size(-1)) - 0.5)); },
          x);
  }
  same(inverse_degrees(at::rand({4, 2}), dim = 0_c), at::full({}, 1 / 3.0, at::kDouble));
  same(inverse_degrees(at::rand({4, 1}), 1), at::full({}, INFINITY, at::kDouble));
  same(inverse_degrees(at::rand({4, 2}), correction = 9), at::full({}, INFINITY, at::kDouble));
  STATIC_REQUIRE(!Accepts<struct inverse_degrees, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
