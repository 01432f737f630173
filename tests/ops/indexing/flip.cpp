// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("flip") {
  for (const int position : {0, 1, 2}) {
    std::vector<std::int64_t> sizes{2, 3, 4};
    sizes[static_cast<std::size_t>(position)] = 5;
    const operand x = per_sample(normal(sizes), position);
    check([](const auto& t) { return flip(t, 0); }, [](const at::Tensor& t) { return t.flip({0}); }, x);
    check([](const auto& t) { return flip(t, 1_c, -1_c); }, [](const at::Tensor& t) { return t.flip({1, -1}); }, x);
    check([](const auto& t) { return mul(flip(t, list_of(0, 2)), t); },
          [](const at::Tensor& t) { return t.flip({0, 2}) * t; }, x);
  }
  for (const auto n : batches)
    check([](const auto& t) { return flip(t, dim = -1); }, [](const at::Tensor& t) { return t.flip({-1}); },
          per_sample(normal({n, 3})));
  check([](const auto& t) { return mul(flip(t, list_of()), 2); }, [](const at::Tensor& t) { return t * 2; },
        whole(normal({2, 3})));
  check_typed([](const auto& t) { return flip(t, 1_c); }, [](const at::Tensor& t) { return t.flip({1}); },
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
    const at::Tensor t = at::arange(12).view({3, 4}).remainder(5).to(type);
    same(flip(t, 0, 1), t.flip({0, 1}));
  }

  const at::Tensor t = at::rand({2, 3});
  refused([&] { flip(t, 2); }, "flip: [2, 3], dims 2: dimension out of range");
  refused([&] { flip(t, 1, -1); }, "flip: [2, 3], dims (1, -1): a dim is given twice");
}

}  // namespace koila::test
