// SPDX-License-Identifier: MIT
#include <koila/kernels/table.hpp>

#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("celu") {
  const auto f = [](const auto& x) { return koila::celu(x); };
  const auto g = [](const at::Tensor& x) { return at::celu(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_activation([](const auto& x) { return celu(x, alpha = 0.5); },
                   [](const at::Tensor& x) { return at::celu(x, 0.5); });
  check([](const auto& x) { return celu(x, 2); }, [](const at::Tensor& x) { return at::celu(x, 2); },
        per_sample(kinks()));
  refuses_integers(f, "celu");
  // LibTorch's gradient of celu rounds 1 / alpha to float32. LibTorch's gradient of elu does not.
  check([](const auto& x) { return celu(x, 0.7); }, [](const at::Tensor& x) { return at::elu(x, 0.7, 1, 1 / 0.7); },
        per_sample(kinks()));
  const at::Tensor t = at::ones({3});
  refused([&] { celu(t, alpha = 0); }, "celu: [3]: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct celu, shape<batch, 3>, decltype(alpha = 0_c)>);
}

TEST_CASE("celu of NaN has one slope, wherever it is") {
  if (detail::by_operators_only) return;  // LibTorch's vector code gives NaN a different sign than its scalar code
  check_every_place([](const auto& x) { return koila::celu(x); }, [](const at::Tensor& x) { return at::celu(x); });
}

}  // namespace koila::test
