// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("diagonal") {
  const auto f = [](auto... a) { return [=](const auto& x) { return koila::diagonal(x, a...); }; };
  const auto g = [](std::int64_t k = 0, std::int64_t i = 0, std::int64_t j = 1) {
    return [=](const at::Tensor& x) { return x.diagonal(k, i, j); };
  };
  SECTION("each offset, each pair of dims, samples along each dim") {
    for (const auto n : batches)
      for (const int k : {0, 1, -2}) check(f(k), g(k), per_sample(normal({n, 3})));
    for (const int position : {0, 1, 2}) {
      std::vector<std::int64_t> sizes{2, 3, 4};
      sizes[static_cast<std::size_t>(position)] = 5;
      for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 0), std::pair(0, -1), std::pair(2, 1)})
        for (const int k : {0, 1, -1}) check(f(k, i, j), g(k, i, j), per_sample(normal(sizes), position));
    }
    for (const auto& s : some_sizes(2)) check(f(1, -1, 0), g(1, -1, 0), per_sample(normal(s.sizes), s.batch));
    check(f(1, 1, 3), g(1, 1, 3), per_sample(normal({2, 3, 5, 4}), 2));
    check(f(), g(), whole(normal({3, 4})));
    check(f(dim2 = 0, offset = -1, dim1 = 2), g(-1, 2, 0), whole(normal({3, 2, 4})));
  }
  SECTION("diagonals without elements") {
    const auto most = std::numeric_limits<index_t>::max(), least = std::numeric_limits<index_t>::min();
    for (const index_t k : {index_t{3}, index_t{4}, index_t{-5}, most, least})
      check(f(k, 1, 2), g(k, 1, 2), per_sample(normal({2, 5, 3})));
    check(f(), g(), per_sample(normal({5, 0})));
    check(f(0, 0, 2), g(0, 0, 2), whole(normal({0, 2, 0})));
  }
  SECTION("of what other ops give") {
    for (const auto n : batches) {
      check([](const auto& x) { return mul(koila::diagonal(relu(x), 0_c, 1_c, 2_c), 2); },
            [](const at::Tensor& x) { return x.relu().diagonal(0, 1, 2) * 2; }, per_sample(normal({n, 2, 3})));
      // The diagonal of a matrix of samples and samples is per sample.
      check([](const auto& x, const auto& y) { return mul(koila::diagonal(mm(x, transpose(y, 0, 1))), sum(x, 1)); },
            [](const at::Tensor& x, const at::Tensor& y) { return x.mm(y.t()).diagonal() * x.sum(1); },
            per_sample(normal({n, 3})), per_sample(normal({n, 3})));
      check([](const auto& x, const auto& y) { return koila::diagonal(mm(x, transpose(y, 0, 1)), 1); },
            [](const at::Tensor& x, const at::Tensor& y) { return x.mm(y.t()).diagonal(1); },
            per_sample(normal({n, 3})), per_sample(normal({n, 3})));
    }
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f(1_c, 1_c, 2_c), g(1, 1, 2), std::pair{input<batch, 4, 3>{}, normal({5, 4, 3}).to(at::kFloat)});
    check_typed(f(), g(), std::pair{input<batch, 4, 3>{}, normal({5, 4, 3}).to(at::kFloat)});
    STATIC_REQUIRE(
        std::is_same_v<shape_t<decltype(f(-2_c, 1_c, -1_c)(input<batch, 4, 3>{}))>, shape_t<input<batch, 2>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f()(input<batch, 4, 3>{}))>, shape_t<input<3, any>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(0_c)(input<batch, batch>{}))>, shape_t<input<batch>>>);
    STATIC_REQUIRE(std::is_same_v<shape_t<decltype(f(1_c)(input<batch, batch>{}))>, shape_t<input<any>>>);
  }
  SECTION("other dtypes, special values") {
    for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
      const at::Tensor t = at::arange(12).view({3, 4}).remainder(5).to(type);
      same(koila::diagonal(t, 1), t.diagonal(1));
    }
    const at::Tensor t = at::tensor({NAN, 1.0F, -INFINITY, INFINITY}).view({2, 2});
    same(koila::diagonal(t), t.diagonal());
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct diagonal, shape<batch, 3>, decltype(0_c), decltype(0_c), decltype(2_c)>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3});
    refused([&] { run(koila::diagonal(x, 0, 0, -2), x = t); },
            "diagonal: [2, 3], offset 0, dims 0 and -2: a dim is given twice");
    refused([&] { koila::diagonal(t, 1, 0, 2); }, "diagonal: [2, 3], offset 1, dims 0 and 2: dimension out of range");
    refused([&] { koila::diagonal(t[0]); }, "diagonal: [3], offset 0, dims 0 and 1: no rule for these ranks");
  }
}

}  // namespace koila::test
