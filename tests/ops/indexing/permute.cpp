// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("permute") {
  SECTION("the samples on every dim, in every order") {
    const std::vector<std::vector<std::int64_t>> orders{{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                        {1, 2, 0}, {2, 0, 1}, {-1, -2, -3}};
    for (const auto& o : orders)
      for (const int position : {0, 1, 2})
        for (const std::int64_t n : {0, 1, 5}) {
          std::vector<std::int64_t> sizes{2, 3, 4};
          sizes[static_cast<std::size_t>(position)] = n;
          check([&](const auto& x) { return permute(x, o[0], o[1], o[2]); },
                [&](const at::Tensor& x) { return x.permute(o); }, per_sample(normal(sizes), position));
        }
  }
  SECTION("of scalars, vectors, parameters and integers") {
    check([](const auto& x) { return permute(x, list_of(1_c, 2_c, 0_c)); },
          [](const at::Tensor& x) { return x.permute({1, 2, 0}); }, whole(normal({2, 3, 4})));
    check([](const auto& x) { return permute(x, list_of()); },
          [](const at::Tensor& x) { return x.permute(at::IntArrayRef()); }, whole(normal({})));
    check([](const auto& x) { return permute(x, -1); }, [](const at::Tensor& x) { return x.permute({0}); },
          per_sample(normal({5})));
    for (const auto type : {at::kBool, at::kLong, at::kBFloat16}) {
      const at::Tensor t = at::arange(24).view({2, 3, 4}).remainder(5).to(type);
      same(permute(t, 2_c, 0_c, 1_c), t.permute({2, 0, 1}));
      CHECK(permute(t, 2_c, 0_c, 1_c).is_alias_of(t));
    }
  }
  SECTION("shapes that the compiler knows") {
    check_typed([](const auto& x) { return permute(x, 1_c, -1_c, 0_c); },
                [](const at::Tensor& x) { return x.permute({1, 2, 0}); },
                std::pair{input<4, batch, 2>{}, normal({4, 5, 2}).to(at::kFloat)});
    check_typed([](const auto& x) { return permute(x, 1, 2, 0); },
                [](const at::Tensor& x) { return x.permute({1, 2, 0}); },
                std::pair{input<batch, 3, 2>{}, normal({5, 3, 2}).to(at::kFloat)});
    STATIC_REQUIRE(
        std::is_same_v<shape_t<decltype(permute(input<batch, 3, 2>{}, 1_c, -1_c, 0_c))>, shape_t<input<3, 2, batch>>>);
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct permute, shape<batch, 3>, decltype(0_c), decltype(0_c)>);
    STATIC_REQUIRE(!Accepts<struct permute, shape<batch, 3>, decltype(0_c)>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3});
    refused([&] { run(permute(x, 0, 0), x = t); }, "permute: [2, 3], dims (0, 0): a dim is given twice");
    refused([&] { permute(t, 0, 2); }, "permute: [2, 3], dims (0, 2): dimension out of range");
    refused([&] { permute(t, list_of(0, 1, 2)); }, "permute: [2, 3], dims (0, 1, 2): not each dim is given once");
  }
}

}  // namespace koila::test
