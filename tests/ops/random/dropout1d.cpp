// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("dropout1d") {
  const auto f = [](const auto&... x) { return dropout1d(x...); };
  check_feature_dropout(f, {7, 5, 3});
  SECTION("without a batch dim: (channels, length), here the samples lie along the length") {
    const bound flat = some_input({6, 8}, 1);
    CHECK(drawn(dropout1d(flat.leaf), flat).eq(0).to(at::kDouble).mean(1).eq(0.5).sum().item<double>() == 0);
  }
  SECTION("refused") {
    const at::Tensor flat = at::rand({3});
    refused([&] { dropout1d(flat); }, "dropout1d: [3]: no rule for these ranks");
  }
}

}  // namespace koila::test
