// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("softplus") {
  const auto f = [](const auto& x) { return koila::softplus(x); };
  const auto g = [](const at::Tensor& x) { return at::softplus(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_activation([](const auto& x) { return softplus(x, beta = 3, threshold = 7.5); },
                   [](const at::Tensor& x) { return at::softplus(x, 3, 7.5); });
  check([](const auto& x) { return softplus(x, 0.5); }, [](const at::Tensor& x) { return at::softplus(x, 0.5); },
        per_sample(kinks()));
  refuses_integers(f, "softplus");
}

}  // namespace koila::test
