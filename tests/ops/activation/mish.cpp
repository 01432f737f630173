// SPDX-License-Identifier: MIT
#include <koila/kernels/table.hpp>

#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("mish") {
  const auto f = [](const auto& x) { return koila::mish(x); };
  const auto g = [](const at::Tensor& x) { return at::mish(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_typed(f, g, std::pair{parameter<float64, 3>{}, normal({3})});
  refuses_integers(f, "mish");
}

TEST_CASE("mish of NaN has one slope, wherever it is") {
  if (detail::by_operators_only) return;  // LibTorch's vector code gives NaN a different sign than its scalar code
  check_every_place([](const auto& x) { return koila::mish(x); }, [](const at::Tensor& x) { return at::mish(x); });
}

}  // namespace koila::test
