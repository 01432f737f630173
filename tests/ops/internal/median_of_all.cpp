// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("median_of_all") {
  const auto f = [](const auto& x) { return median_of_all(x); };
  const auto g = [](const at::Tensor& x) { return at::median(x); };
  for (const auto n : batches)
    if (n > 0) check(f, g, per_sample((normal({2, n, 3}) * 2).round(), 1));
  for (const auto type : {at::kByte, at::kInt, at::kLong}) {
    const bound x = leaf(at::arange(12).view({4, 3}).remainder(5).to(type), 0);  // (samples, 3)
    compare({}, f(x.leaf), f(x.value), [&](const auto& t) { return g(t[0]); }, {x}, {});
  }
  const at::Tensor odd = at::tensor({1.0F, NAN, INFINITY, -INFINITY}), truth = at::ones({2, 3}, at::kBool),
                   none = at::rand({0});
  same(f(odd), g(odd));
  refused([&] { f(truth); }, "median: bool[2, 3]: no rule for booleans");
  refused([&] { f(none); }, "median: [0]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct median_of_all, shape<boolean, batch, 3>>);
}

}  // namespace koila::test
