#include "check.hpp"

namespace koila::test {

TEST_CASE("add") {
  const auto f = [](const auto& a, const auto& b) { return add(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::add(a, b); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs()); }
  SECTION("operators and numbers") {
    const operand x = per_sample(normal({5, 2}));
    check([](const auto& a) { return add(a, 2); }, [](const at::Tensor& a) { return a + 2; }, x);
    check([](const auto& a) { return add(-0.3, a); }, [](const at::Tensor& a) { return -0.3 + a; }, x);
    check([](const auto& a) { return add(a, add(a, true)); }, [](const at::Tensor& a) { return at::add(a, a + 1); }, x);

    const input<batch, 2> lazy{"lazy"};
    const at::Tensor t = normal({5, 2}).to(at::kFloat);  // (samples, 2)
    same(run(lazy + 2, lazy = t), t + 2);
    same(run(2.5 + lazy, lazy = t), 2.5 + t);
    same(run(lazy + t, lazy = t), t + t);
    same(run(t + lazy + lazy, lazy = t), t + t + t);
  }
  SECTION("dtypes") {
    check_promotion(f, g, {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
    const bound x = leaf(at::arange(6).view({3, 2}), 0);  // (samples, 2)
    const reference half = [](const auto& t) { return t[0] + 0.5; };
    compare({}, add(x.leaf, 0.5), add(x.value, 0.5), half, {x}, {});
    const reference three = [](const auto& t) { return t[0] + 3; };
    compare({}, add(x.leaf, 3), add(x.value, 3), three, {x}, {});
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 7}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, normal({4, 1}).to(at::kFloat)});
    check_typed(f, g, std::pair{input<float64, batch, 3>{}, normal({4, 3})},
                std::pair{parameter<3>{}, normal({3}).to(at::kFloat)});
  }
  SECTION("shapes that do not broadcast") {
    const input<any, any> a{"a"}, b{"b"};
    const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
    refused([&] { run(a + b, a = s, b = t); }, "add: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { add(s, t); }, "add: [2, 3] x [2, 4]: not broadcastable");
  }
}

}  // namespace koila::test
