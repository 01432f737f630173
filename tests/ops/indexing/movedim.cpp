// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("movedim") {
  const auto f = [](auto s, auto d) { return [=](const auto& x) { return movedim(x, s, d); }; };
  const auto g = [](std::vector<std::int64_t> s, std::vector<std::int64_t> d) {
    return [=](const at::Tensor& x) { return x.movedim(s, d); };
  };
  for (const int position : {0, 1, 2}) {
    std::vector<std::int64_t> sizes{2, 3, 4};
    sizes[static_cast<std::size_t>(position)] = 5;
    const operand x = per_sample(normal(sizes), position);
    check(f(0, -1), g({0}, {-1}), x);
    check(f(2, 0), g({2}, {0}), x);
    check(f(list_of(0, 1), list_of(1, 2)), g({0, 1}, {1, 2}), x);
    check(f(list_of(-1, 0), list_of(0, 1)), g({-1, 0}, {0, 1}), x);
  }
  check_typed(f(0_c, 1_c), g({0}, {1}), std::pair{input<batch, 4, 3>{}, normal({5, 4, 3}).to(at::kFloat)});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(movedim(input<batch, 4, 3>{}, 0_c, -1_c))>, shape_t<input<4, 3, batch>>>);

  STATIC_REQUIRE(!Accepts<struct movedim, shape<batch, 3>, decltype(0_c)>);
  const at::Tensor t = at::rand({2, 3});
  refused([&] { movedim(t, 0, 2); }, "movedim: [2, 3], dims 0 to 2: dimension out of range");
  refused([&] { movedim(t, list_of(0, 0), list_of(0, 1)); },
          "movedim: [2, 3], dims (0, 0) to (0, 1): a dim is given twice");
}

}  // namespace koila::test
