// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("atan2") {
  const auto f = [](const auto& a, const auto& b) { return koila::atan2(a, b); };
  // LibTorch's derivative throws for boolean operands, and squares numbers in float32.
  const auto plain = [](const at::Tensor& t, const at::Tensor& beside) {
    if (!t.unsafeGetTensorImpl()->is_wrapped_number()) return t.scalar_type() == at::kBool ? t.to(at::kLong) : t;
    return at::scalar_tensor(t.item(), beside.is_floating_point() ? beside.scalar_type() : at::kFloat);
  };
  const auto g = [&](const at::Tensor& a, const at::Tensor& b) { return at::atan2(plain(a, b), plain(b, a)); };
  check_pairs(f, g, normal, normal, {at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
              {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf}) {
    // Includes the gradient at the origin.
    const at::Tensor a = at::tensor({0.0, 1.0, 0.0, -0.0}, at::kDouble).to(type).requires_grad_(),
                     b = at::tensor({0.0, 2.0, -1.0, 0.0}, at::kDouble).to(type).requires_grad_();
    at::atan2(a, b).sum().backward();
    const auto of_a = lazy(a.detach()), of_b = lazy(b.detach());
    const auto loss = sum(koila::atan2(of_a, of_b));
    same(run(gradient(loss, of_a)), a.grad());
    same(run(gradient(loss, of_b)), b.grad());
  }
  SECTION("refused") {
    refuses_to_broadcast(f, "atan2");
    STATIC_REQUIRE(!Accepts<struct ops::atan2, shape<batch, 3>, shape<batch, 4>>);
  }
}

}  // namespace koila::test
