// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("full") {
  same(run(full(list_of(2, 3), 0.5)), at::full({2, 3}, 0.5));
  same(run(full(list_of(2_c, 3_c), fill_value = -2)), at::full({2, 3}, -2));
  same(run(full(3_c, INFINITY)), at::full({3}, INFINITY));
  same(run(full(2_c, 3_c)), at::full({2}, 3));
  same(run(full(2, (std::int64_t{1} << 53) + 1)), at::full({2}, (std::int64_t{1} << 53) + 1));
  same(run(full(list_of(2), true)), at::full({2}, true));
  same(run(full(list_of(2), fill_value = false)), at::full({2}, false));
  const auto value = [](const auto& x, const auto& y) {  // a tensor operand makes this an expression
    if constexpr (PlainTensor<std::remove_cvref_t<decltype(x)>>) return run(y);
    else return y;
  };
  check([=](const auto& x) { return value(x, add(mul(full(list_of(2, 3), 0.5), x), x)); },
        [](const at::Tensor& x) { return 0.5 * x + x; }, per_sample(normal({5, 2, 3})));
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(full(list_of(2_c, 3_c), 1))>, shape_t<input<int64, 2, 3>>>);

  STATIC_REQUIRE(!Accepts<struct full, decltype(list_of(-1_c)), double>);
  refused([&] { run(full(list_of(2, -1), 1)); }, "full of (2, -1): a size is out of range");
}

}  // namespace koila::test
