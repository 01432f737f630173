// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("dropout3d") {
  const auto f = [](const auto&... x) { return dropout3d(x...); };
  check_feature_dropout(f, {7, 5, 3, 2, 2});
  SECTION("without a batch dim: (channels, depth, height, width)") {
    const bound flat = some_input({6, 3, 2, 8}, 3);
    CHECK(drawn(dropout3d(flat.leaf), flat).flatten(1).eq(0).to(at::kDouble).mean(1).eq(0.5).sum().item<double>() == 0);
  }
  SECTION("refused") {
    const at::Tensor flat = at::rand({3});
    refused([&] { dropout3d(flat); }, "dropout3d: [3]: no rule for these ranks");
  }
}

}  // namespace koila::test
