// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("dropout2d") {
  const auto f = [](const auto&... x) { return dropout2d(x...); };
  check_feature_dropout(f, {7, 5, 3, 2});
  SECTION("refused") {
    const at::Tensor flat = at::rand({3});
    refused([&] { dropout2d(flat); }, "dropout2d: [3]: no rule for these ranks");
  }
}

}  // namespace koila::test
