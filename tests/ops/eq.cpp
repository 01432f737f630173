#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("eq") {
  const auto f = [](const auto& a, const auto& b) { return eq(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::eq(a, b); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(few, few)); }
  SECTION("special values") { check_special(f, g); }
  SECTION("numbers") {
    check_numbers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble});
  }
  SECTION("the operator") {
    const input<batch, 2> x{"x"}, z{"z"};
    const at::Tensor t = few({5, 2}).to(at::kFloat), u = few({5, 2}).to(at::kFloat);  // (samples, 2)
    STATIC_REQUIRE(std::same_as<shape_t<decltype(x == z)>, shape<boolean, batch, 2L>>);
    same(run(x == z, x = t, z = u), t == u);
    same(run(x == 1, x = t), t == 1);
    same(run(1 == x, x = t), g(wrapped(1), t));
    same(run(x == u, x = t), t == u);
    same(run(t == z, z = u), t == u);
  }
  SECTION("dtypes") {
    check_promotion(f, g,
                    {at::kBool, at::kByte, at::kChar, at::kInt, at::kLong, at::kHalf, at::kBFloat16, at::kFloat, at::kDouble});
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, few({4, 7}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, few({4, 1}).to(at::kFloat)});
    check_typed(f, g, std::pair{input<float64, batch, 3>{}, few({4, 3})}, std::pair{parameter<3>{}, few({3}).to(at::kFloat)});
  }
  SECTION("refused") {
    const input<any, any> a{"a"}, b{"b"};
    const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
    refused([&] { run(eq(a, b), a = s, b = t); }, "eq: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { eq(s, t); }, "eq: [2, 3] x [2, 4]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct eq, shape<batch, 3>, shape<batch, 4>>);
    STATIC_REQUIRE(!Accepts<struct eq, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  }
}

}  // namespace koila::test
