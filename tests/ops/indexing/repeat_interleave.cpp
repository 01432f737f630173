// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("repeat_interleave") {
  const auto f = [](auto... a) { return [=](const auto& x) { return repeat_interleave(x, a...); }; };
  const auto g = [](std::int64_t r, std::optional<std::int64_t> d = std::nullopt) {
    return [=](const at::Tensor& x) { return x.repeat_interleave(r, d); };
  };
  SECTION("along each dim, of flattened elements") {
    for (const auto n : batches)
      for (const int r : {0, 1, 3}) {
        check(f(r, 0), g(r, 0), per_sample(normal({n, 2})));
        check(f(r, -1), g(r, -1), per_sample(normal({n, 2})));
        check(f(r), g(r), per_sample(normal({n, 2})));
        check(f(r), g(r), per_sample(normal({n})));
      }
    for (const auto& s : some_sizes(1))
      for_dims(s.sizes, [&](int d) { check(f(2, d), g(2, d), per_sample(normal(s.sizes), s.batch)); });
    check(f(2), g(2), per_sample(normal({2, 5, 3}), 1));
    check(f(3), g(3), whole(normal({})));
    check(f(dim = 1, repeats = 2), g(2, 1), whole(normal({2, 3})));
    check(f(2), g(2), whole(normal({1, 1, 2, 1, 1, 1, 1, 2})));
  }
  SECTION("of what other ops give") {
    for (const auto n : batches)  // reshape moves the repetitions to a separate dim
      check(
          [](const auto& x) { return mul(reshape(repeat_interleave(relu(x), 3, 0), -1, 3, 2), unsqueeze(x, 1)); },
          [](const at::Tensor& x) { return x.relu().repeat_interleave(3, 0).view({x.size(0), 3, 2}) * x.unsqueeze(1); },
          per_sample(normal({n, 2})));
  }
  SECTION("shapes that the compiler knows, other dtypes") {
    check_typed(f(2_c, 1_c), g(2, 1), std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
    check_typed(f(2_c, 0_c), g(2, 0), std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
    check_typed(f(2_c), g(2), std::pair{parameter<2, 3>{}, normal({2, 3}).to(at::kFloat)});
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(2_c, -1_c)(input<batch, 3>{}))>, shape_t<input<batch, 6>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(1_c, 0_c)(input<batch, 3>{}))>, shape_t<input<batch, 3>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(2_c, 0_c)(input<batch, 3>{}))>, shape_t<input<any, 3>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(2_c)(input<2, 3>{}))>, shape_t<input<12>>>);
    for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
      const at::Tensor t = at::arange(6).view({2, 3}).remainder(5).to(type);
      same(repeat_interleave(t, 2, 0), t.repeat_interleave(2, 0));
    }
    const at::Tensor t = at::tensor({NAN, -INFINITY});
    same(repeat_interleave(t, 2), t.repeat_interleave(2));
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct repeat_interleave, shape<batch, 3>>);
    STATIC_REQUIRE(!Accepts<struct repeat_interleave, shape<batch, 3>, decltype(dim = 0_c)>);
    STATIC_REQUIRE(!Accepts<struct repeat_interleave, shape<batch, 3>, decltype(-1_c), decltype(0_c)>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3});
    refused([&] { run(repeat_interleave(x, 2, 2), x = t); },
            "repeat_interleave: [2, 3] by 2, dim 2: dimension out of range");
    refused([&] { repeat_interleave(t, -1); }, "repeat_interleave: [2, 3] by -1: a size is out of range");
    refused([&] { repeat_interleave(t[0][0], 2, 0); }, "repeat_interleave: [] by 2, dim 0: no rule for these ranks");
    refused([&] { repeat_interleave(t.narrow(0, 0, 0), std::numeric_limits<index_t>::max(), 0); },
            "repeat_interleave: [0, 3] by 9223372036854775807, dim 0: a size is out of range");
    refused([&] { repeat_interleave(t.view({2, 3, 1, 1, 1, 1, 1, 1}), 2, 0); },
            "repeat_interleave: [2, 3, 1, 1, 1, 1, 1, 1] by 2, dim 0: more than 8 dimensions");
  }
}

}  // namespace koila::test
