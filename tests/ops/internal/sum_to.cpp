// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("sum_to") {
  const auto f = [](const auto& a, const auto& b) { return sum_to(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::sum_to(a, b.sizes()) + 0 * b; };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), whole(normal({3})));
    check(f, g, per_sample(normal({n, 3})), whole(normal({1, 1})));
    check(f, g, per_sample(normal({n, 3})), whole(normal({})));
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 1})));
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})));
    check(f, g, per_sample(normal({2, n, 3}), 1), per_sample(normal({n, 1})));
    check(f, g, per_sample(normal({2, n, 3}), 1), whole(normal({2, 1, 1})));
  }
  check(f, g, whole(normal({2, 3})), whole(normal({3})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{parameter<3>{}, normal({3}).to(at::kFloat)});

  const bound wide = leaf(normal({7, 3}), 0), narrow = leaf(normal({3}).to(at::kFloat));
  compare({}, sum_to(wide.leaf, narrow.leaf), sum_to(wide.value, narrow.value),
          [](const auto& t) { return t[0].sum(0).to(at::kFloat); }, {wide, narrow}, {.gradients = false});
  // The gradient has the wide operand's dtype.
  for (const bound& like : {narrow, leaf(normal({7, 3}).to(at::kFloat), 0)})
    compare({}, sum_to(mul(wide.leaf, wide.leaf), like.leaf), sum_to(mul(wide.value, wide.value), like.value),
            [](const auto& t) { return at::sum_to(t[0] * t[0], t[1].sizes()).to(at::kFloat); }, {wide, like},
            {.twice = false});
  STATIC_REQUIRE(!Accepts<struct sum_to, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
