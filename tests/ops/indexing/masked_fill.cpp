// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("masked_fill") {
  const auto f = [](const auto& x, const auto& mask, const auto& v) { return masked_fill(x, mask, v); };
  const auto g = [](const at::Tensor& x, const at::Tensor& mask, const at::Tensor& v) {
    return at::masked_fill(x, mask, v);
  };
  const auto mask = [](at::IntArrayRef sizes) { return normal(sizes) > 0; };
  SECTION("broadcasting") {
    for (const auto n : {0, 1, 3, 8}) {
      check(f, g, per_sample(normal({n, 3})), per_sample(mask({n, 3})), whole(normal({})));
      check(f, g, per_sample(normal({2, n}), 1), per_sample(mask({2, n}), 1), whole(normal({})));
      check(f, g, per_sample(normal({n, 3})), whole(mask({3})), whole(normal({})));
      check(f, g, whole(normal({3})), per_sample(mask({n, 1})), whole(normal({})));
      check(f, g, per_sample(normal({2, n, 3}), 1), whole(mask({2, 1, 1})), whole(normal({})));
    }
    check(f, g, whole(normal({})), whole(mask({3})), whole(normal({})));
  }
  SECTION("numbers: they become of x's dtype") {
    for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble}) {
      const bound x = leaf((positive({5, 3}) * 4).to(type), 0), m = leaf(mask({5, 3}), 0);  // (samples, 3)
      const auto one = [&](auto n) {
        const ask what{.gradients = type == at::kFloat || type == at::kDouble};
        const reference want = [&](const auto& t) { return at::masked_fill(t[0], t[1], at::Scalar(n)); };
        compare({}, f(x.leaf, m.leaf, n), f(x.value, m.value, n), want, {x, m}, what);
      };
      one(2), one(true), one(0.1), one(0);
      if (at::isFloatingType(type)) one(-INFINITY);
    }
  }
  SECTION("dtypes of scalars") {
    const at::ScalarType types[] = {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble};
    for (const auto s : types)
      for (const auto t : types)
        for (const bool scalar : {false, true}) {
          const bound x = leaf((scalar ? positive({}) : positive({5, 3})).to(s)), m = leaf(mask({5, 3})),
                      v = leaf(positive({}).to(t));
          const reference want = [&](const auto& u) {  // LibTorch refuses gradients if x is not floating-point
            return g(u[0], u[1], u[0].is_floating_point() ? u[2] : u[2].detach());
          };
          compare({}, f(x.leaf, m.leaf, v.leaf), f(x.value, m.value, v.value), want, {x, m, v}, {.twice = false});
        }
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)},
                std::pair{input<boolean, 4, batch>{}, mask({4, 5})},
                std::pair{parameter<>{}, normal({}).to(at::kFloat)});
    STATIC_REQUIRE(std::same_as<shape_t<decltype(masked_fill(input<int64, batch, 3>{}, input<boolean, 3>{}, 0.5))>,
                                shape<int64, batch, 3L>>);
  }
  SECTION("refused") {
    const at::Tensor m = at::ones({2}, at::kBool), i = at::arange(2), x = at::rand({2}), y = at::rand({3}),
                     v = at::rand({});
    refused([&] { masked_fill(x, i, v); }, "masked_fill: [2] x int64[2] x []: the mask is not of booleans");
    refused([&] { masked_fill(x, m, x); }, "masked_fill: [2] x bool[2] x [2]: not a scalar");
    refused([&] { masked_fill(y, m, v); }, "masked_fill: [3] x bool[2] x []: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct masked_fill, shape<3>, shape<3>, shape<>>);
  }
}

}  // namespace koila::test
