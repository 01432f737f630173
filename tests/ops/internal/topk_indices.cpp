// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("topk_indices") {
  for (const auto n : batches) {
    check([](const auto& x) { return topk_indices(x, 2); },
          [](const at::Tensor& x) { return std::get<1>(at::topk(x, 2)); }, per_sample(normal({n, 37})));
    check([](const auto& x) { return topk_indices(x, 2, 0, false); },
          [](const at::Tensor& x) { return std::get<1>(at::topk(x, 2, 0, false)); }, per_sample(normal({5, n}), 1));
    if (n > 1)
      check([](const auto& x) { return topk_indices(x, 2, 0); },
            [](const at::Tensor& x) { return std::get<1>(at::topk(x, 2, 0)); }, per_sample(normal({n, 3})));
  }
  for (const auto type : {at::kByte, at::kInt, at::kLong, at::kHalf}) {
    const bound x = leaf(at::arange(28).view({4, 7}).remainder(9).to(type), 0);  // (samples, 7)
    compare({}, topk_indices(x.leaf, 3), topk_indices(x.value, 3),
            [](const auto& t) { return std::get<1>(at::topk(t[0], 3)); }, {x}, {.gradients = false});
  }
  const at::Tensor odd = at::tensor({1.0F, INFINITY, NAN, -INFINITY, 0.0F});
  same(topk_indices(odd, 3), std::get<1>(at::topk(odd, 3)));

  const at::Tensor t = at::rand({2, 3}), truth = at::ones({2, 3}, at::kBool);
  refused([&] { topk_indices(t, 4); }, "topk: [2, 3], k 4, dim -1: the number is larger than the dim");
  refused([&] { topk_indices(t, -1); }, "topk: [2, 3], k -1, dim -1: a size is out of range");
  refused([&] { topk_indices(truth, 1); }, "topk: bool[2, 3], k 1, dim -1: no rule for booleans");
  STATIC_REQUIRE(!Accepts<struct topk_indices, shape<batch, 3>, decltype(4_c)>);
}

}  // namespace koila::test
