// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("narrow") {
  SECTION("of every dim, the samples' too") {
    for (const int position : {0, 1, 2})
      for (const int d : {0, 1, -1})
        for (const std::int64_t n : {3, 9}) {
          std::vector<std::int64_t> sizes{3, 4, 5};
          sizes[static_cast<std::size_t>(position)] = n;
          const operand x = per_sample(normal(sizes), position);
          check([=](const auto& t) { return narrow(t, d, 1, 2); },
                [=](const at::Tensor& t) { return t.narrow(d, 1, 2); }, x);
          check([=](const auto& t) { return narrow(t, d, -2, 1); },
                [=](const at::Tensor& t) { return t.narrow(d, -2, 1); }, x);
        }
    check([](const auto& t) { return narrow(t, 0, 5, 0); }, [](const at::Tensor& t) { return t.narrow(0, 5, 0); },
          per_sample(normal({5, 2})));
    check([](const auto& t) { return narrow(t, 0, 0, 5); }, [](const at::Tensor& t) { return t.narrow(0, 0, 5); },
          per_sample(normal({5, 2})));
    check([](const auto& t) { return narrow(t, 1, 1, 2); }, [](const at::Tensor& t) { return t.narrow(1, 1, 2); },
          per_sample(normal({0, 4})));
    check([](const auto& t) { return narrow(t, 0, 1, 2); }, [](const at::Tensor& t) { return t.narrow(0, 1, 2); },
          whole(normal({4, 3})));
  }
  SECTION("of what other ops give") {
    for (const auto n : batches)
      check([](const auto& t) { return mul(narrow(relu(t), 1_c, 0_c, 2_c), narrow(koila::exp(t), 1_c, 2_c, 2_c)); },
            [](const at::Tensor& t) { return t.relu().narrow(1, 0, 2) * t.exp().narrow(1, 2, 2); },
            per_sample(normal({n, 4})));
    check([](const auto& t) { return matmul(narrow(t, 1_c, 1_c, 2_c), narrow(transpose(t, 0_c, 1_c), 0_c, 0_c, 2_c)); },
          [](const at::Tensor& t) { return t.narrow(1, 1, 2).matmul(t.t().narrow(0, 0, 2)); },
          per_sample(normal({5, 3})));
    check([](const auto& t) { return mul(narrow(reshape(t, -1), 0, 2, 5), 2); },
          [](const at::Tensor& t) { return t.reshape({-1}).narrow(0, 2, 5) * 2; }, per_sample(normal({5, 3})));
  }
  SECTION("shapes that the compiler knows") {
    const auto f = [](const auto& x) { return narrow(x, -1_c, 1_c, 2_c); };
    check_typed(
        f, [](const at::Tensor& x) { return x.narrow(-1, 1, 2); },
        std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(input<batch, 4>{}))>, shape_t<input<batch, 2>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(narrow(input<batch, 4>{}, 0_c, 1_c, 2_c))>, shape_t<input<2, 4>>>);
    STATIC_REQUIRE(
        std::is_same_v<shape_t<decltype(narrow(input<batch, 4>{}, 1_c, 1_c, 2))>, shape_t<input<batch, any>>>);
  }
  SECTION("of integers and booleans") {
    for (const auto type : {at::kBool, at::kLong, at::kHalf}) {
      const at::Tensor t = at::arange(12).view({3, 4}).remainder(5).to(type);
      same(narrow(t, 1, 1, 2), t.narrow(1, 1, 2));
    }
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct narrow, shape<batch, 3>, decltype(1_c), decltype(2_c), decltype(2_c)>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3});
    refused([&] { run(narrow(x, 1, 2, 2), x = t); }, "narrow: [2, 3], dim 1 from 2, length 2: a size is out of range");
    refused([&] { narrow(t, 2, 0, 1); }, "narrow: [2, 3], dim 2 from 0, length 1: dimension out of range");
    refused([&] { narrow(t, 0, -3, 1); }, "narrow: [2, 3], dim 0 from -3, length 1: a size is out of range");
    refused([&] { narrow(t[0][0], 0, 0, 1); }, "narrow: [], dim 0 from 0, length 1: no rule for these ranks");
  }
}

}  // namespace koila::test
