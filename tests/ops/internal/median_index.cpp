// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("median_index") {
  for (const auto n : batches) {
    check([](const auto& x) { return median_index(x, -1); },
          [](const at::Tensor& x) { return std::get<1>(at::median(x, -1)); }, per_sample(normal({n, 4})));
    if (n > 0)
      check([](const auto& x) { return median_index(x, 0, keepdim = true); },
            [](const at::Tensor& x) { return std::get<1>(at::median(x, 0, true)); }, per_sample(normal({n, 3})));
  }
  for (const auto type : {at::kByte, at::kInt, at::kLong}) {
    const bound x = leaf(at::arange(12).view({4, 3}).remainder(5).to(type), 0);  // (samples, 3)
    compare({}, median_index(x.leaf, 1), median_index(x.value, 1),
            [](const auto& t) { return std::get<1>(at::median(t[0], 1)); }, {x}, {});
  }
  const at::Tensor t = at::rand({2, 3});
  refused([&] { median_index(t, 2); }, "median: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct median_index, shape<batch, 3>>);
  STATIC_REQUIRE(!Accepts<struct median_index, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
