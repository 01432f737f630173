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
  check_pairs(f, g, normal, normal, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
              {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("refused") {
    refuses_to_broadcast(f, "atan2");
    STATIC_REQUIRE(!Accepts<struct ops::atan2, shape<batch, 3>, shape<batch, 4>>);
    STATIC_REQUIRE(!Accepts<struct ops::atan2, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  }
}

}  // namespace koila::test
