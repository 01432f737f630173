// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("cumsum_backward") {
  for (const auto& s : some_sizes(1))
    check([](const auto& x) { return cumsum_backward(x, -1); },
          [](const at::Tensor& x) { return x.flip(-1).cumsum(-1).flip(-1); }, per_sample(normal(s.sizes), s.batch));
  check([](const auto& x) { return cumsum_backward(x, 0); },
        [](const at::Tensor& x) { return x.flip(0).cumsum(0).flip(0); }, per_sample(normal({5, 3})));
  const at::Tensor t = at::rand({2, 3});
  refused([&] { cumsum_backward(t, 2); }, "cumsum_backward: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct cumsum_backward, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
