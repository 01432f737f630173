// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("nan_to_num") {
  const auto f = [](const auto& x) { return koila::nan_to_num(x); };
  const auto g = [](const at::Tensor& x) { return at::nan_to_num(x); };
  check_unary<struct nan_to_num>(f, g);
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
  const auto all = [](const auto& x) { return nan_to_num(x, 0.5, 3, -2.5); };
  check(
      {.twice = false}, all, [](const at::Tensor& x) { return at::nan_to_num(x, 0.5, 3.0, -2.5); },
      per_sample(odd_values()));
  const auto named = [](const auto& x) { return nan_to_num(x, neginf = -7, posinf = 8.5); };
  check(
      {.twice = false}, named, [](const at::Tensor& x) { return at::nan_to_num(x, std::nullopt, 8.5, -7.0); },
      per_sample(odd_values()));
}

}  // namespace koila::test
