// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("linspace") {
  for (const int n : {0, 1, 2, 7}) same(run(linspace(-1, 2.5, n)), at::linspace(-1, 2.5, n));
  same(run(linspace(3_c, 0_c, 4_c)), at::linspace(3, 0, 4));
  same(run(linspace(0, 1, ops::steps = 5_c)), at::linspace(0, 1, 5));
  const auto value = [](const auto& x, const auto& y) {  // a tensor operand makes this an expression
    if constexpr (PlainTensor<std::remove_cvref_t<decltype(x)>>) return run(y);
    else return y;
  };
  check([=](const auto& x) { return value(x, mul(x, linspace(0, 2, 3))); },
        [](const at::Tensor& x) { return x * at::linspace(0, 2, 3); }, per_sample(normal({5, 3})));
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(linspace(0, 1, 5_c))>, shape_t<input<5>>>);

  STATIC_REQUIRE(!Accepts<struct linspace, int, int, decltype(-1_c)>);
  refused([&] { run(linspace(0, 1e300, 3)); }, "linspace, steps 3: the dtype does not hold the number");
  refused([&] { run(linspace(-1e300, 0, 3)); }, "linspace, steps 3: the dtype does not hold the number");
  refused([&] { run(linspace(0, 1, -2)); }, "linspace, steps -2: a size is out of range");
}

}  // namespace koila::test
