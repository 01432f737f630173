// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("unbind") {
  const auto f = [](const auto& x) {
    if constexpr (PlainTensor<std::remove_cvref_t<decltype(x)>>) {
      const auto p = unbind(x, 1);
      return mul(add(p[0], p[1]), p[2]);
    } else {
      const auto [a, b, c] = unbind(x, dim = 1_c);
      return mul(add(a, b), c);
    }
  };
  const auto g = [](const at::Tensor& x) { return (x.select(1, 0) + x.select(1, 1)) * x.select(1, 2); };
  check_typed(f, g, std::pair{input<batch, 3, 2>{}, normal({5, 3, 2}).to(at::kFloat)});
  check_typed(f, g, std::pair{input<float64, batch, 3>{}, normal({4, 3})});
  check_typed(
      [](const auto& x) {
        if constexpr (PlainTensor<std::remove_cvref_t<decltype(x)>>) return unbind(x)[1];
        else return std::get<1>(unbind(x));
      },
      [](const at::Tensor& x) { return x[1]; }, std::pair{input<2, batch>{}, normal({2, 5}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3});
  CHECK(unbind(t, -1).size() == 3);
  refused([&] { unbind(t, 2); }, "unbind: [2, 3]: dimension out of range");
}

}  // namespace koila::test
