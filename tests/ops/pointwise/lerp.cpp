// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("lerp") {
  const auto f = [](const auto& a, const auto& b, const auto& weight) { return lerp(a, b, weight); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& weight) {
    return at::lerp(a, b, weight);
  };
  SECTION("broadcasting") {
    for (const auto n : {0, 1, 3, 8}) {
      check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})), per_sample(normal({n, 3})));
      check(f, g, per_sample(normal({2, n}), 1), whole(normal({2, 1})), whole(normal({})));
      check(f, g, whole(normal({3})), per_sample(normal({n, 1})), whole(normal({3})));
      check(f, g, whole(normal({3})), whole(normal({2, 1, 1})), per_sample(normal({n, 1})));
    }
  }
  SECTION("a number as the weight") {
    for (const double weight : {0.0, 0.3, 0.5, 0.8, 1.0, -2.0})
      check([=](const auto& a, const auto& b) { return lerp(a, b, weight); },
            [=](const at::Tensor& a, const at::Tensor& b) { return at::lerp(a, b, weight); },
            per_sample(normal({5, 3})), whole(normal({3})));
    check([](const auto& a, const auto& b) { return lerp(a, b, 1); },
          [](const at::Tensor& a, const at::Tensor& b) { return at::lerp(a, b, 1); }, per_sample(normal({3, 5}), 1),
          per_sample(normal({3, 5}), 1));
  }
  SECTION("numbers as the ends") {
    for (const auto type : {at::kBFloat16, at::kFloat, at::kDouble}) {
      const bound x = leaf(normal({5, 3}).to(type), 0), w = leaf(positive({5, 3}).to(type), 0);  // (samples, 3)
      const ask what{.gradients = type != at::kBFloat16};
      compare(
          {}, f(2, x.leaf, 0.3), f(2, x.value, 0.3),
          [&](const auto& t) { return at::lerp(at::full({}, 2, t[0].options()), t[0], 0.3); }, {x}, what);
      compare(
          {}, f(x.leaf, 2, w.leaf), f(x.value, 2, w.value),
          [&](const auto& t) { return at::lerp(t[0], at::full({}, 2, t[0].options()), t[1]); }, {x, w}, what);
      compare(
          {}, f(x.leaf, x.leaf, 0.3), f(x.value, x.value, 0.3),
          [&](const auto& t) { return at::lerp(t[0], t[0], 0.3); }, {x}, what);
    }
  }
  SECTION("a scalar weight of another dtype") {
    const bound x = leaf(normal({5, 3}).to(at::kFloat), 0), w = leaf(normal({}));  // (samples, 3), ()
    compare({}, f(x.leaf, 0, w.leaf), f(x.value, 0, w.value),
            [](const auto& t) { return at::lerp(t[0], at::zeros({}, t[0].options()), t[1].to(t[0].scalar_type())); },
            {x, w}, {.twice = false});
  }
  SECTION("special values") {
    check_special([&](const at::Tensor& a, const at::Tensor& b) { return f(a, b, 0.25); },
                  [&](const at::Tensor& a, const at::Tensor& b) { return at::lerp(a, b, 0.25); });
    check_special([&](const at::Tensor& a, const at::Tensor& b) { return f(a, b, a); },
                  [&](const at::Tensor& a, const at::Tensor& b) { return at::lerp(a, b, a); });
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, normal({4, 1}).to(at::kFloat)},
                std::pair{parameter<>{}, normal({}).to(at::kFloat)});
  }
  SECTION("refused") {
    const at::Tensor x = at::rand({2}), y = at::rand({3}), d = at::rand({2}, at::kDouble), i = at::arange(2),
                     v = at::rand({});
    refused([&] { lerp(x, d, v); }, "lerp: [2] x float64[2] x []: dtypes differ");
    refused([&] { lerp(x, x, d); }, "lerp: [2] x [2] x float64[2]: dtypes differ");
    refused([&] { lerp(i, i, v); }, "lerp: int64[2] x int64[2] x []: not a floating-point dtype");
    refused([&] { lerp(x, y, v); }, "lerp: [2] x [3] x []: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct lerp, shape<3>, shape<float64, 3>, shape<3>>);
  }
}

}  // namespace koila::test
