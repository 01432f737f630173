// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("where") {
  const auto f = [](const auto& mask, const auto& a, const auto& b) { return where(mask, a, b); };
  const auto g = [](const at::Tensor& mask, const at::Tensor& a, const at::Tensor& b) { return at::where(mask, a, b); };
  const auto mask = [](at::IntArrayRef sizes) { return normal(sizes) > 0; };
  SECTION("broadcasting") {
    for (const auto n : {0, 1, 3, 8}) {
      check(f, g, per_sample(mask({n, 3})), per_sample(normal({n, 3})), per_sample(normal({n, 3})));
      check(f, g, per_sample(mask({2, n}), 1), per_sample(normal({2, n}), 1), whole(normal({2, 1})));
      check(f, g, per_sample(mask({n, 1})), whole(normal({3})), whole(normal({})));
      check(f, g, whole(mask({3})), per_sample(normal({n, 1})), whole(normal({1})));
      check(f, g, whole(mask({2, 1, 3})), per_sample(normal({n, 1})), per_sample(normal({2, n, 3}), 1));
      check(f, g, whole(mask({})), per_sample(normal({n, 2})), whole(normal({2})));
    }
    check(f, g, whole(mask({2, 3})), whole(normal({3})), whole(normal({2, 1})));
  }
  SECTION("numbers") {
    for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble}) {
      const bound m = leaf(mask({5, 3}), 0), x = leaf((positive({5, 3}) * 4).to(type), 0);  // (samples, 3)
      const auto one = [&](auto n) {
        const ask what{.gradients = type == at::kFloat || type == at::kDouble};
        const reference right = [&](const auto& t) { return at::where(t[0], t[1], at::Scalar(n)); };
        const reference left = [&](const auto& t) { return at::where(t[0], at::Scalar(n), t[1]); };
        compare({}, f(m.leaf, x.leaf, n), f(m.value, x.value, n), right, {m, x}, what);
        compare({}, f(m.leaf, n, x.leaf), f(m.value, n, x.value), left, {m, x}, what);
      };
      one(2), one(true), one(0.1);
    }
    const bound m = leaf(mask({5, 3}), 0);  // (samples, 3)
    const reference ints = [](const auto& t) { return at::where(t[0], 1, 0); };
    compare({}, f(m.leaf, 1, 0), f(m.value, 1, 0), ints, {m}, {});
    const reference floats = [](const auto& t) { return at::where(t[0], 0.1, 0); };
    compare({}, f(m.leaf, 0.1, 0), f(m.value, 0.1, 0), floats, {m}, {});
  }
  SECTION("what is not taken does not matter") {
    const at::Tensor a = at::tensor({1.0, NAN, INFINITY}, at::kDouble), m = at::tensor({1, 0, 0}).to(at::kBool);
    check(f, g, per_sample(m), per_sample(a), whole(normal({})));
    check([](const auto& x) { return where(x > 0, x, 0); },
          [](const at::Tensor& x) { return at::where(x > 0, x, 0.0); }, per_sample(normal({5, 2})));
  }
  SECTION("dtypes") {
    const at::Tensor m = mask({5, 3});
    const auto two = [&](const auto& a, const auto& b) { return where(m, a, b); };
    const auto eager = [&](const at::Tensor& a, const at::Tensor& b) { return at::where(m, a, b); };
    const auto types = {at::kBool, at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble};
    for (const auto s : types)
      for (const auto t : types)
        for (const bool scalar : {false, true}) {
          const bound a = leaf(positive({5, 3}).to(s)), b = leaf((scalar ? positive({}) : positive({5, 3})).to(t));
          const bool half = s == at::kBFloat16 || t == at::kBFloat16;
          compare({}, two(a.leaf, b.leaf), two(a.value, b.value), [&](const auto& u) { return eager(u[0], u[1]); },
                  {a, b}, {.gradients = !half, .twice = false});
        }
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<boolean, 4, batch>{}, mask({4, 5})},
                std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, normal({4, 1}).to(at::kFloat)});
    STATIC_REQUIRE(std::same_as<shape_t<decltype(where(input<boolean, batch, 1>{}, input<3>{}, 0))>, shape<batch, 3L>>);
  }
  SECTION("refused") {
    const at::Tensor m = at::ones({2}, at::kBool), i = at::arange(2), x = at::rand({2}), y = at::rand({3});
    refused([&] { where(i, x, x); }, "where: int64[2] x [2] x [2]: the mask is not of booleans");
    refused([&] { where(m, x, y); }, "where: bool[2] x [2] x [3]: not broadcastable");
    refused([&] { where(m, y, y); }, "where: bool[2] x [3] x [3]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct where, shape<batch, 3>, shape<batch, 3>, shape<batch, 3>>);
    STATIC_REQUIRE(!Accepts<struct where, bool, shape<batch, 3>, shape<batch, 3>>);
  }
}

}  // namespace koila::test
