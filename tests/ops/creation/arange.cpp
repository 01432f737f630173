// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("arange") {
  same(run(arange(5)), at::arange(5));
  same(run(arange(0)), at::arange(0));
  same(run(arange(2_c, 7_c)), at::arange(2, 7));
  for (const auto& [a, b, s] : {std::array{0, 7, 2}, {0, 6, 2}, {7, 0, -2}, {6, 0, -2}, {-3, 4, 3}, {4, 4, -1}})
    same(run(arange(a, b, s)), at::arange(a, b, s));
  same(run(arange(3.0)), at::arange(3.0));
  for (const auto& [a, b, s] :
       {std::array{0.5, 3.0, 0.5}, {0.5, 3.25, 0.5}, {3.0, 0.0, -0.75}, {0.0, 1.0, 0.1}, {2.0, 2.0, 1.0}})
    same(run(arange(a, b, s)), at::arange(a, b, s));
  same(run(arange(1, 2.5)), at::arange(1, 2.5));
  same(run(arange(0_c, 3, 0.5F)), at::arange(0, 3, 0.5));
  const auto value = [](const auto& x, const auto& y) {  // a tensor operand makes this an expression
    if constexpr (PlainTensor<std::remove_cvref_t<decltype(x)>>) return run(y);
    else return y;
  };
  check([=](const auto& x) { return value(x, mul(x, arange(3))); },
        [](const at::Tensor& x) { return x * at::arange(3); }, per_sample(normal({5, 3})));
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(arange(5_c))>, shape_t<input<int64, 5>>>);
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(arange(1_c, 6_c, 2_c))>, shape_t<input<int64, 3>>>);

  STATIC_REQUIRE(shape_t<decltype(arange(0.5, 3.0, 0.5))>::value.type == dtype::float32);

  STATIC_REQUIRE(!Accepts<struct arange>);
  refused([&] { run(arange(3, 1)); }, "arange of (3, 1): a size is out of range");
  refused([&] { run(arange(1.0, 3.0, 0.0)); }, "arange: a size is out of range");
  refused([&] { run(arange(-1.0)); }, "arange: a size is out of range");
  refused([&] { run(arange(0.0, 1.0, NAN)); }, "arange: a size is out of range");
  refused([&] { run(arange(1, 3, 0)); }, "arange of (1, 3, 0): a size is out of range");
}

}  // namespace koila::test
