// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("gelu") {
  const auto f = [](const auto& x) { return koila::gelu(x); };
  const auto g = [](const at::Tensor& x) { return at::gelu(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_activation([](const auto& x) { return gelu(x, approximate = kTanh); },
                   [](const at::Tensor& x) { return at::gelu(x, "tanh"); });
  check([](const auto& x) { return gelu(x, approximate = kNone); }, [](const at::Tensor& x) { return at::gelu(x); },
        per_sample(kinks()));
  const auto total = [](const auto& x) { return sum(koila::gelu(x)); };  // the cotangent is one number, broadcast
  check(total, [](const at::Tensor& x) { return at::gelu(x).sum(); }, per_sample(normal({5, 3})));
  const at::Tensor repeated = at::rand({3, 1}).expand({3, 4});  // (3, 4), strides 1 and 0
  same(f(repeated), g(repeated));
  refuses_integers(f, "gelu");
  STATIC_REQUIRE(!Accepts<struct gelu, shape<batch, 3>, decltype(approximate = kSame)>);
}

}  // namespace koila::test
