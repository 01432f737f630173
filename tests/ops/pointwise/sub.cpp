// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("sub") {
  const auto f = [](const auto& a, const auto& b) { return sub(a, b); };
  check_arithmetic(f, [](const auto& a, const auto& b) { return a - b; },
                   {at::kByte, at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("shapes that do not broadcast") { refuses_to_broadcast(f, "sub"); }
}

}  // namespace koila::test
