#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("logical_xor") {
  const auto f = [](const auto& a, const auto& b) { return logical_xor(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::logical_xor(a, b); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(few, few)); }
  SECTION("special values") { check_special(f, g); }
  SECTION("numbers") {
    check_numbers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble});
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
    refused([&] { run(logical_xor(a, b), a = s, b = t); }, "logical_xor: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { logical_xor(s, t); }, "logical_xor: [2, 3] x [2, 4]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct logical_xor, shape<batch, 3>, shape<batch, 4>>);
    STATIC_REQUIRE(!Accepts<struct logical_xor, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  }
}

}  // namespace koila::test
