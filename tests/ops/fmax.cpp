#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("fmax") {
  const auto f = [](const auto& a, const auto& b) { return koila::fmax(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::fmax(a, b); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(normal)); }
  SECTION("equal values: a is taken") {
    for (const auto& [a, b] : broadcasting_pairs(few, few)) check({.twice = false}, f, g, a, b);
  }
  SECTION("NaN has no gradient, and is none where there is another") {
    const at::Tensor a = at::tensor({NAN, 1.0, NAN, 2.0}, at::kDouble), b = at::tensor({1.0, NAN, NAN, 2.0}, at::kDouble);
    for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
      const parameter<float64, 4> p{"p"}, q{"q"};
      const at::Tensor u = x.clone().requires_grad_(), v = y.clone().requires_grad_();
      set(p, x), set(q, y);
      g(u, v).sum().backward();
      same(run(gradient(sum(f(p, q)), p)), u.grad());
      same(run(gradient(sum(f(p, q)), q)), v.grad());
    }
  }
  SECTION("special values") { check_special(f, g); }
  SECTION("numbers") { check_numbers(f, g, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble}); }
  SECTION("dtypes") { check_promotion(f, g, {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble}); }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 7}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, positive({4, 1}).to(at::kFloat)});
    check_typed(f, g, std::pair{input<float64, batch, 3>{}, normal({4, 3})},
                std::pair{parameter<3>{}, positive({3}).to(at::kFloat)});
  }
  SECTION("refused") {
    const input<any, any> a{"a"}, b{"b"};
    const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
    refused([&] { run(koila::fmax(a, b), a = s, b = t); }, "fmax: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::fmax(s, t); }, "fmax: [2, 3] x [2, 4]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct ops::fmax, shape<batch, 3>, shape<batch, 4>>);
    STATIC_REQUIRE(!Accepts<struct ops::fmax, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  }
}

}  // namespace koila::test
