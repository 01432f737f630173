// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/cdist.h>

namespace koila::test {

TEST_CASE("cdist_forward") {
  const auto f = [](const auto& a, const auto& b) { return cdist_forward(a, b, 3); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::cdist(a, b, 3, 2); };
  for (const std::int64_t n : {0, 1, 5})
    check({.twice = false}, f, g, per_sample(normal({n, 3, 4})), per_sample(normal({n, 2, 4})));
  check({.twice = false}, f, g, per_sample(normal({2, 5, 4}), 1), whole(normal({2, 3, 4})));
  check({.twice = false}, f, g, per_sample(normal({2, 5, 4}), 1), per_sample(normal({2, 5, 4}), 1));
  check({.twice = false}, f, g, whole(normal({2, 3, 4})), per_sample(normal({2, 5, 4}), 1));
  check({.twice = false}, f, g, per_sample(normal({2, 3, 5}), 2), per_sample(normal({2, 4, 5}), 2));

  const at::Tensor a = at::rand({2, 3, 4}), flat = at::rand({3, 4}), half = a.to(at::kHalf);
  refused([&] { cdist_forward(a, flat); }, "cdist_forward: [2, 3, 4] x [3, 4]: no rule for these ranks");
  refused([&] { cdist_forward(half, half); },
          "cdist_forward: float16[2, 3, 4] x float16[2, 3, 4]: no rule for these dtypes");
  STATIC_REQUIRE(!Accepts<struct cdist_forward, shape<batch, 3, 4>, shape<5, 2, 4>>);
}

}  // namespace koila::test
