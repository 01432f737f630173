// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("threshold") {
  const auto f = [](const auto& x) { return koila::threshold(x, 0.5, 20); };
  const auto g = [](const at::Tensor& x) { return at::threshold(x, 0.5, 20); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check([](const auto& x) { return koila::threshold(x, koila::threshold = -1); },
        [](const at::Tensor& x) { return at::threshold(x, -1, 0); }, per_sample(kinks()));
  check_integers([](const auto& x) { return koila::threshold(x, 1, -7); },
                 [](const at::Tensor& x) { return at::threshold(x, 1, -7); }, {at::kInt, at::kLong});
  refuses_dtype(f, at::kBool, "threshold: bool[3]: no rule for booleans");
}

TEST_CASE("threshold of NaN has one slope, wherever it is") {
  check_every_place([](const auto& x) { return koila::threshold(x, 0.5, 2.0); },
                    [](const at::Tensor& x) { return at::threshold(x, 0.5, 2.0); });
}

}  // namespace koila::test
