// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("hardtanh") {
  const auto f = [](const auto& x) { return hardtanh(x); };
  const auto g = [](const at::Tensor& x) { return at::hardtanh(x); };
  check_activation(f, g);
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_activation([](const auto& x) { return hardtanh(x, -0.5, 2); },
                   [](const at::Tensor& x) { return at::hardtanh(x, -0.5, 2); });
  check([](const auto& x) { return hardtanh(x, max_val = 6, min_val = 0); },
        [](const at::Tensor& x) { return at::hardtanh(x, 0, 6); }, per_sample(kinks()));

  check_integers(f, g, {at::kInt, at::kLong, at::kShort, at::kChar});
  check_integers([](const auto& x) { return hardtanh(x, 1.5, 4); },
                 [](const at::Tensor& x) { return at::hardtanh(x, 1.5, 4); }, {at::kByte, at::kLong});

  refuses_dtype(f, at::kBool, "hardtanh: bool[3]: no rule for booleans");
  refuses_dtype(f, at::kByte, "hardtanh: uint8[3]: no rule for these dtypes");
}

TEST_CASE("trials H7: hardtanh of NaN has one slope, wherever it is") {
  check_every_place([](const auto& x) { return koila::hardtanh(x); },
                    [](const at::Tensor& x) { return at::hardtanh(x); });
}

}  // namespace koila::test
