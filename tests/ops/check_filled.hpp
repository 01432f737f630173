// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of constants with given sizes.
#include "check.hpp"

namespace koila::test {

/// Compares `f` of several sizes with LibTorch's `g` of a list of sizes.
template <class F, class G>
void check_filled(const F& f, const G& g) {
  const at::Tensor want = g({2, 3});
  same(run(f(2, 3)), want);
  same(run(f(list_of(2, 3))), want);
  same(run(f(2_c, 3_c)), want);
  same(run(f(list_of())), g({}));
  same(run(f(0)), g({0}));
  const auto value = [](const auto& x, const auto& y) {  // a tensor operand makes this an expression
    if constexpr (PlainTensor<std::remove_cvref_t<decltype(x)>>) return run(y);
    else return y;
  };
  check([&](const auto& x) { return value(x, add(mul(f(2, 3), x), x)); },
        [&](const at::Tensor& x) { return want * x + x; }, per_sample(normal({5, 2, 3})));
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(2_c, 3_c))>, shape_t<input<2, 3>>>);
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(2, 3_c))>, shape_t<input<any, 3>>>);
}

}  // namespace koila::test
