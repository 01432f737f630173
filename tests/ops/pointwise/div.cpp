// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("div") {
  const auto f = [](const auto& a, const auto& b) { return koila::div(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::div(a, b); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(normal, positive)); }
  SECTION("operators and numbers") {
    const operand x = per_sample(positive({5, 2}));
    check([](const auto& a) { return koila::div(a, 2); }, [](const at::Tensor& a) { return a / 2; }, x);
    check([](const auto& a) { return koila::div(-0.3, a); }, [](const at::Tensor& a) { return -0.3 / a; }, x);
    check([](const auto& a) { return koila::div(a, koila::div(a, true)); },
          [](const at::Tensor& a) { return at::div(a, a); }, x);

    const input<batch, 2> lazy{"lazy"};
    const at::Tensor t = positive({5, 2}).to(at::kFloat);  // (samples, 2)
    same(run(lazy / 2, lazy = t), t / 2);
    same(run(2.5 / lazy, lazy = t), 2.5 / t);
    same(run(lazy / t, lazy = t), t / t);
    same(run(t / lazy / lazy, lazy = t), t / t / t);
  }
  SECTION("dtypes") {
    check_promotion(f, g, {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
    const bound x = leaf(at::arange(6).view({3, 2}), 0);  // (samples, 2)
    const reference half = [](const auto& t) { return t[0] / 0.5; };
    compare({}, koila::div(x.leaf, 0.5), koila::div(x.value, 0.5), half, {x}, {});
    const reference three = [](const auto& t) { return t[0] / 3; };
    compare({}, koila::div(x.leaf, 3), koila::div(x.value, 3), three, {x}, {});
  }
  SECTION("rounded") {
    const auto trunc = [](const auto& a, const auto& b) { return koila::div(a, b, rounding_mode = kTrunc); };
    const auto floor = [](const auto& a, const auto& b) { return koila::div(a, b, rounding_mode = kFloor); };
    const auto want_trunc = [](const at::Tensor& a, const at::Tensor& b) { return at::div(a, b, "trunc"); };
    const auto want_floor = [](const at::Tensor& a, const at::Tensor& b) { return at::div(a, b, "floor"); };
    check({}, trunc, want_trunc, broadcasting_pairs(normal, positive));
    check({}, floor, want_floor, broadcasting_pairs(normal, positive));
    check_promotion(trunc, want_trunc, {at::kInt, at::kLong, at::kFloat, at::kDouble});
    check_promotion(floor, want_floor, {at::kInt, at::kLong, at::kFloat, at::kDouble});
    check_special(trunc, want_trunc);
    check_special(floor, want_floor);
    check_numbers(trunc, want_trunc, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble});
    check_numbers(floor, want_floor, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble});
    const at::Tensor odd = at::tensor({-7, -6, -1, 0, 1, 6, 7});
    same(trunc(odd, 3), want_trunc(odd, at::scalar_tensor(3, at::kLong)));
    same(floor(odd, -3), want_floor(odd, at::scalar_tensor(-3, at::kLong)));
    STATIC_REQUIRE(ops::div.fold(-7, 2, attributes_from<struct ops::div>(rounding_mode = kFloor)) == -4);
    STATIC_REQUIRE(ops::div.fold(-7, 2, attributes_from<struct ops::div>(rounding_mode = kTrunc)) == -3);
    STATIC_REQUIRE(std::same_as<shape_t<decltype(floor(input<int64, batch, 3>{}, 2))>, shape<int64, batch, 3L>>);
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, positive({4, 7}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, positive({4, 1}).to(at::kFloat)});
    check_typed(f, g, std::pair{input<float64, batch, 3>{}, positive({4, 3})},
                std::pair{parameter<3>{}, positive({3}).to(at::kFloat)});
  }
  SECTION("shapes that do not broadcast") {
    const input<any, any> a{"a"}, b{"b"};
    const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
    refused([&] { run(a / b, a = s, b = t); }, "div: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::div(s, t); }, "div: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::div(s, t, rounding_mode = kFloor); },
            "div: [2, 3] x [2, 4], rounding_mode floor: not broadcastable");
    refused([&] { koila::div(s, s, rounding_mode = attr<choice>(choice::sum)); },
            "div: [2, 3] x [2, 3]: the choice is none of the op's");
    STATIC_REQUIRE(!Accepts<struct ops::div, shape<3>, shape<3>, decltype(rounding_mode = kSum)>);
    const at::Tensor m = at::rand({2}) > 0.5;
    refused([&] { koila::div(m, m, rounding_mode = kTrunc); },
            "div: bool[2] x bool[2], rounding_mode trunc: no rule for booleans");
  }
}

}  // namespace koila::test
