#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("remainder") {
  const auto f = [](const auto& a, const auto& b) { return koila::remainder(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::remainder(a, b); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(normal, positive)); }
  SECTION("special values") { check_special(f, g); }
  SECTION("numbers") { check_numbers(f, g, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble}); }
  SECTION("the operator") {
    const input<batch, 2> x{"x"};
    const at::Tensor t = normal({5, 2}).to(at::kFloat);  // (samples, 2)
    same(run(x % 2, x = t), t % 2);
    same(run(2.5 % x, x = t), at::remainder(2.5, t));
    same(run(x % t, x = t), t % t);
  }
  SECTION("dtypes") { check_promotion(f, g, {at::kInt, at::kLong, at::kFloat, at::kDouble}); }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 7}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, positive({4, 1}).to(at::kFloat)});
    check_typed(f, g, std::pair{input<float64, batch, 3>{}, normal({4, 3})},
                std::pair{parameter<3>{}, positive({3}).to(at::kFloat)});
  }
  SECTION("refused") {
    const input<any, any> a{"a"}, b{"b"};
    const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
    refused([&] { run(koila::remainder(a, b), a = s, b = t); }, "remainder: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::remainder(s, t); }, "remainder: [2, 3] x [2, 4]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct ops::remainder, shape<batch, 3>, shape<batch, 4>>);
    STATIC_REQUIRE(!Accepts<struct ops::remainder, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
    const at::Tensor m = at::rand({2}) > 0.5;
    refused([&] { koila::remainder(m, m); }, "remainder: bool[2] x bool[2]: no rule for booleans");
  }
}

}  // namespace koila::test
