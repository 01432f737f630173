#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("floor_divide") {
  const auto f = [](const auto& a, const auto& b) { return koila::floor_divide(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) {
    return at::div(a, b, "floor");  // the same, and differentiable, which LibTorch's floor_divide is not
  };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(normal, positive)); }
  SECTION("special values") { check_special(f, g); }
  SECTION("as LibTorch's") {
    const at::Tensor a = at::arange(-6, 6), b = at::tensor({-5.0, -2.0, -0.3, 0.7, 2.0, 3.0}).view({6, 1});
    same(f(a, b), at::floor_divide(a, b));
    same(f(a, -4), at::floor_divide(a, at::tensor(-4)));
  }
  SECTION("numbers") { check_numbers(f, g, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble}); }
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
    refused([&] { run(koila::floor_divide(a, b), a = s, b = t); }, "floor_divide: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::floor_divide(s, t); }, "floor_divide: [2, 3] x [2, 4]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct floor_divide, shape<batch, 3>, shape<batch, 4>>);
    STATIC_REQUIRE(!Accepts<struct floor_divide, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
    const at::Tensor m = at::rand({2}) > 0.5;
    refused([&] { floor_divide(m, m); }, "floor_divide: bool[2] x bool[2]: no rule for booleans");
  }
}

}  // namespace koila::test
