// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("tanhshrink") {
  const auto f = [](const auto& x) { return tanhshrink(x); };
  const auto g = [](const at::Tensor& x) { return x - x.tanh(); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_integers(f, g, {at::kByte, at::kInt, at::kLong});
  STATIC_REQUIRE(!Accepts<struct tanhshrink, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
