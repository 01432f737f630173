#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("hypot") {
  const auto f = [](const auto& a, const auto& b) { return koila::hypot(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::hypot(a, b); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(normal)); }
  SECTION("special values") { check_special(f, g); }
  SECTION("numbers") { check_numbers(f, g, {at::kBFloat16, at::kFloat, at::kDouble}); }
  SECTION("dtypes") { check_promotion(f, g, {at::kFloat, at::kDouble}); }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 7}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, positive({4, 1}).to(at::kFloat)});
    check_typed(f, g, std::pair{input<float64, batch, 3>{}, normal({4, 3})},
                std::pair{parameter<3>{}, positive({3}).to(at::kFloat)});
  }
  SECTION("refused") {
    const input<any, any> a{"a"}, b{"b"};
    const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
    refused([&] { run(koila::hypot(a, b), a = s, b = t); }, "hypot: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::hypot(s, t); }, "hypot: [2, 3] x [2, 4]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct ops::hypot, shape<batch, 3>, shape<batch, 4>>);
    STATIC_REQUIRE(!Accepts<struct ops::hypot, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
    const at::Tensor i = at::arange(2);
    refused([&] { koila::hypot(i, i); }, "hypot: int64[2] x int64[2]: not a floating-point dtype");
  }
}

}  // namespace koila::test
