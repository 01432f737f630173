// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("isclose") {
  const auto f = [](const auto& a, const auto& b) { return isclose(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::isclose(a, b); };
  const auto off = [](const at::Tensor& t) { return t + at::tensor({0.0, 1e-7, 1e-4, 0.1, 1.0}, at::kDouble); };
  SECTION("broadcasting") {
    check({}, f, g, broadcasting_pairs(few, few));
    for (const auto n : batches) {
      const at::Tensor t = few({n, 5});
      check(f, g, per_sample(t), per_sample(off(t)));
    }
  }
  SECTION("tolerances") {
    const at::Tensor t = few({8, 5}), u = off(t);  // (samples, 5)
    for (const double r : {0.0, 1e-6, 0.5})
      for (const double a : {0.0, 1e-3, 0.2})
        for (const bool nan : {false, true}) {
          check([=](const auto& x, const auto& y) { return isclose(x, y, rtol = r, atol = a, equal_nan = nan); },
                [=](const at::Tensor& x, const at::Tensor& y) { return at::isclose(x, y, r, a, nan); }, per_sample(t),
                per_sample(u));
          check_special([=](const at::Tensor& x, const at::Tensor& y) { return isclose(x, y, r, a, nan); },
                        [=](const at::Tensor& x, const at::Tensor& y) {
                          // LibTorch's isclose does not broadcast its masks, so the operands are
                          // expanded first.
                          return at::isclose(x.expand({9, 9}), y.expand({9, 9}), r, a, nan);
                        });
        }
  }
  SECTION("integers and booleans") {
    for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong}) {
      const bound x = leaf((positive({7, 3}) * 4).to(type), 0),
                  y = leaf((positive({7, 3}) * 4).to(type), 0);  // (samples, 3)
      compare({}, f(x.leaf, y.leaf), f(x.value, y.value), [&](const auto& t) { return g(t[0], t[1]); }, {x, y}, {});
      compare({}, isclose(x.leaf, y.leaf, 0.3), isclose(x.value, y.value, 0.3),
              [&](const auto& t) { return at::isclose(t[0], t[1], 0.3); }, {x, y}, {});
    }
  }
  SECTION("numbers") {
    const at::Tensor t = at::tensor({1.0, 1.0 + 1e-9, 1.1, -1.0}, at::kDouble);  // (samples)
    for (const auto type : {at::kFloat, at::kDouble}) {
      const bound x = leaf(t.to(type), 0);
      compare({}, isclose(x.leaf, 1.1, 1e-8), isclose(x.value, 1.1, 1e-8),
              [&](const auto& u) { return at::isclose(u[0], at::full({}, 1.1, u[0].options()), 1e-8); }, {x}, {});
      compare({}, isclose(1, x.leaf), isclose(1, x.value),
              [&](const auto& u) { return at::isclose(at::full({}, 1, u[0].options()), u[0]); }, {x}, {});
    }
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, few({4, 7}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, few({4, 1}).to(at::kFloat)});
  }
  SECTION("refused") {
    const at::Tensor x = at::rand({2}), y = at::rand({3}), d = at::rand({2}, at::kDouble);
    refused([&] { isclose(x, y); }, "isclose: [2] x [3]: not broadcastable");
    refused([&] { isclose(x, d); }, "isclose: [2] x float64[2]: dtypes differ");
    refused([&] { isclose(x, x, rtol = -1.0); }, "isclose: [2] x [2]: a size is out of range");
    STATIC_REQUIRE(!Accepts<struct isclose, shape<3>, shape<float64, 3>>);
  }
}

}  // namespace koila::test
