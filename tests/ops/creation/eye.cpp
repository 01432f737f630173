// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("eye") {
  same(run(eye(3)), at::eye(3));
  same(run(eye(2_c, 4_c)), at::eye(2, 4));
  same(run(eye(4, 2)), at::eye(4, 2));
  same(run(eye(0)), at::eye(0));
  const auto value = [](const auto& x, const auto& y) {  // a tensor operand makes this an expression
    if constexpr (PlainTensor<std::remove_cvref_t<decltype(x)>>) return run(y);
    else return y;
  };
  check([=](const auto& x) { return value(x, mul(eye(3), x)); },
        [](const at::Tensor& x) { return at::eye(3, x.options()) * x; }, per_sample(normal({5, 3, 3})));
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(eye(3_c))>, shape_t<input<3, 3>>>);

  STATIC_REQUIRE(!Accepts<struct eye>);
  refused([&] { run(eye(-1)); }, "eye of -1: a size is out of range");
}

}  // namespace koila::test
