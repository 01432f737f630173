#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("atan2") {
  const auto f = [](const auto& a, const auto& b) { return koila::atan2(a, b); };
  // LibTorch's derivative throws beside booleans, and squares a number as a float32.
  const auto plain = [](const at::Tensor& t, const at::Tensor& beside) {
    if (!t.unsafeGetTensorImpl()->is_wrapped_number()) return t.scalar_type() == at::kBool ? t.to(at::kLong) : t;
    return at::scalar_tensor(t.item(), beside.is_floating_point() ? beside.scalar_type() : at::kFloat);
  };
  const auto g = [&](const at::Tensor& a, const at::Tensor& b) { return at::atan2(plain(a, b), plain(b, a)); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(normal)); }
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
    refused([&] { run(koila::atan2(a, b), a = s, b = t); }, "atan2: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::atan2(s, t); }, "atan2: [2, 3] x [2, 4]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct ops::atan2, shape<batch, 3>, shape<batch, 4>>);
    STATIC_REQUIRE(!Accepts<struct ops::atan2, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  }
}

}  // namespace koila::test
