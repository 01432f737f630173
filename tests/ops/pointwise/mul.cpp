// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("mul") {
  const auto f = [](const auto& a, const auto& b) { return mul(a, b); };
  check_arithmetic(f, [](const auto& a, const auto& b) { return a * b; },
                   {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("a number beside an expression") {
    check([](const auto& a) { return mul(a, mul(a, true)); }, [](const at::Tensor& a) { return at::mul(a, a); },
          per_sample(normal({5, 2})));
  }
  SECTION("shapes that do not broadcast") { refuses_to_broadcast(f, "mul"); }
}

}  // namespace koila::test
