// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("unflatten") {
  const auto f = [](auto d, auto sizes) { return [=](const auto& x) { return unflatten(x, d, sizes); }; };
  const auto g = [](std::int64_t d, std::vector<std::int64_t> sizes) {
    return [=](const at::Tensor& x) { return x.unflatten(d, sizes); };
  };
  for (const std::int64_t n : {1, 2, 5}) {
    check(f(1, list_of(2, 3)), g(1, {2, 3}), per_sample(normal({n, 6})));
    check(f(-1, list_of(2, -1)), g(-1, {2, -1}), per_sample(normal({n, 6})));
    check(f(0, list_of(3, 2)), g(0, {3, 2}), per_sample(normal({6, n}), 1));
    check([=](const auto& x) { return unflatten(koila::exp(flatten(x, 0, 1)), 0, list_of(n, 3)); },
          [](const at::Tensor& x) { return x.exp(); }, per_sample(normal({n, 3, 2})));
  }
  check(f(0, list_of(3, 2)), g(0, {3, 2}), per_sample(normal({6, 2})));  // the result has no batch dim
  check_typed(f(1_c, list_of(2_c, -1_c)), g(1, {2, 3}), std::pair{input<batch, 6>{}, normal({5, 6}).to(at::kFloat)});
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(unflatten(input<batch, 6>{}, 1_c, list_of(2_c, -1_c)))>,
                                shape_t<input<batch, 2, 3>>>);

  const at::Tensor t = at::rand({2, 3});
  refused([&] { unflatten(t, 1, list_of(2, 2)); },
          "unflatten: [2, 3], dim 1 to (2, 2): the numbers of elements differ");
  refused([&] { unflatten(t, 2, list_of(2, 2)); }, "unflatten: [2, 3], dim 2 to (2, 2): dimension out of range");
}

}  // namespace koila::test
