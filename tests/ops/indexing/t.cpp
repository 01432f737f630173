// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("t") {
  const auto f = [](const auto& x) { return ops::t(x); };
  const auto g = [](const at::Tensor& x) { return x.t(); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})));
    check(f, g, per_sample(normal({n})));
    check([](const auto& x) { return mm(ops::t(x), relu(x)); }, [](const at::Tensor& x) { return x.t().mm(x.relu()); },
          per_sample(normal({n, 3})));
  }
  check(f, g, whole(normal({})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(ops::t(input<batch, 3>{}))>, shape_t<input<3, batch>>>);

  const at::Tensor cube = at::rand({2, 3, 4});
  refused([&] { ops::t(cube); }, "t: [2, 3, 4]: no rule for these ranks");
}

}  // namespace koila::test
