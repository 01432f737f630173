// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("sum") {
  SECTION("all dims") {
    for (const auto& s : some_sizes(1)) {
      check([](const auto& x) { return sum(x); }, [](const at::Tensor& x) { return at::sum(x); },
            per_sample(normal(s.sizes), s.batch));
      check([](const auto& x) { return sum(x, keepdim = true); },
            [](const at::Tensor& x) { return x.sum(at::OptionalIntArrayRef(), true); },
            per_sample(normal(s.sizes), s.batch));
    }
    check([](const auto& x) { return sum(x); }, [](const at::Tensor& x) { return at::sum(x); }, whole(normal({})));
    check([](const auto& x) { return sum(x, -1_c); }, [](const at::Tensor& x) { return at::sum(x, -1); },
          whole(normal({})));
  }
  SECTION("one dim") {
    for (const auto& s : some_sizes(1))
      for (int d = -3; d < 3; ++d)
        for (const bool keep : {false, true})
          if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
            check([=](const auto& x) { return sum(x, dim = d, keepdim = keep); },
                  [=](const at::Tensor& x) { return at::sum(x, d, keep); }, per_sample(normal(s.sizes), s.batch));
  }
  SECTION("several dims") {
    for (const auto& s : some_sizes(2))
      for (int d = 0; d < static_cast<int>(s.sizes.size()) - 1; ++d)
        for (const bool keep : {false, true}) {
          const operand x = per_sample(normal(s.sizes), s.batch);
          check([=](const auto& t) { return sum(t, dim = list_of(-1_c, d), keepdim = keep); },
                [=](const at::Tensor& t) { return at::sum(t, std::vector<std::int64_t>{-1, d}, keep); }, x);
        }
    check([](const auto& x) { return sum(x, list_of(0_c, -1_c)); },
          [](const at::Tensor& x) { return at::sum(x, at::IntArrayRef{0, -1}); }, per_sample(normal({3, 5, 2}), 1));
    check([](const auto& x) { return sum(x, list_of()); }, [](const at::Tensor& x) { return at::sum(x); },
          per_sample(normal({3, 5}), 1));
  }
  SECTION("integers and booleans") {
    for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong})
      for (const int d : {0, 1}) {
        const bound x = leaf(at::arange(21).view({7, 3}).remainder(5).to(type), 0);  // (samples, 3)
        compare({}, sum(x.leaf, d), sum(x.value, d), [=](const auto& t) { return at::sum(t[0], d); }, {x}, {});
      }
  }
  SECTION("shapes that the compiler knows") {
    check_typed([](const auto& x) { return sum(x, -1_c); }, [](const at::Tensor& x) { return at::sum(x, -1); },
                std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
    check_typed([](const auto& x) { return sum(x, dim = 1_c, keepdim = true); },
                [](const at::Tensor& x) { return at::sum(x, 1, true); },
                std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
    check_typed([](const auto& x) { return sum(x, list_of(0_c, 2_c), keepdim = true); },
                [](const at::Tensor& x) { return at::sum(x, at::IntArrayRef{0, 2}, true); },
                std::pair{input<4, batch, 3>{}, normal({4, 5, 3}).to(at::kFloat)});
    check_typed([](const auto& x) { return sum(x, list_of(0_c, 2_c)); },
                [](const at::Tensor& x) { return at::sum(x, at::IntArrayRef{0, 2}); },
                std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
    check_typed([](const auto& x) { return sum(x); }, [](const at::Tensor& x) { return at::sum(x); },
                std::pair{parameter<4, 3>{}, normal({4, 3}).to(at::kFloat)});
  }
  SECTION("refused") {
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3});
    refused([&] { run(sum(x, dim = 2), x = t); }, "sum: [2, 3], dim 2: dimension out of range");
    refused([&] { sum(t, dim = -3); }, "sum: [2, 3], dim -3: dimension out of range");
    refused([&] { sum(t, list_of(0, 2)); }, "sum: [2, 3], dims (0, 2): dimension out of range");
    refused([&] { run(sum(x, list_of(1, -1)), x = t); }, "sum: [2, 3], dims (1, -1): a dim is given twice");
    STATIC_REQUIRE(!Accepts<struct sum, shape<batch, 3>, decltype(list_of(1_c, -1_c))>);
  }
}

}  // namespace koila::test
