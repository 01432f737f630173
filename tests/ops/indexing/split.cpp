// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("split") {
  for (const auto n : batches)
    check(
        [](const auto& x) {
          const auto [a, b, c] = split(x, list_of(2, 1, 2), dim = -1);
          return add(mul(a, b), c);
        },
        [](const at::Tensor& x) {
          const auto p = x.split_with_sizes({2, 1, 2}, -1);
          return p[0] * p[1] + p[2];
        },
        per_sample(normal({n, 5})));
  check([](const auto& x) { return std::get<1>(split(x, list_of(2, 3))); },
        [](const at::Tensor& x) { return x.split_with_sizes({2, 3})[1]; }, per_sample(normal({5, 2})));
  check_typed([](const auto& x) { return std::get<1>(split(x, list_of(2_c, 3_c), 1_c)); },
              [](const at::Tensor& x) { return x.split_with_sizes({2, 3}, 1)[1]; },
              std::pair{input<batch, 5>{}, normal({5, 5}).to(at::kFloat)});
  const auto last = [](const auto& x) {
    if constexpr (PlainTensor<std::remove_cvref_t<decltype(x)>>) return split(x, 2, 1)[2];
    else return std::get<2>(split(x, 2_c, dim = 1_c));
  };
  check_typed(
      last, [](const at::Tensor& x) { return x.split(2, 1)[2]; },
      std::pair{input<batch, 5>{}, normal({3, 5}).to(at::kFloat)});
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(last(input<batch, 5>{}))>, shape_t<input<batch, 1>>>);
  const at::Tensor t = at::rand({2, 5});
  CHECK(split(t, 2, dim = 1).size() == 3);
  CHECK(std::get<1>(split(t, list_of(2, 3), 1)).is_alias_of(t));

  STATIC_REQUIRE(
      !Accepts<struct split_part, shape<batch, 3>, decltype(list_of(1_c, 1_c)), decltype(0_c), decltype(1_c)>);
  refused([&] { split(t, list_of(2, 2), 1); }, "split: [2, 5] into (2, 2), dim 1: a size is out of range");
  refused([&] { split(t, 2, 2); }, "split: [2, 5]: dimension out of range");
}

}  // namespace koila::test
