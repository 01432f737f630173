// SPDX-License-Identifier: MIT
#include "ops/check_filled.hpp"

namespace koila::test {

TEST_CASE("ones") {
  check_filled([](const auto&... n) { return koila::ones(n...); },
               [](at::IntArrayRef sizes) { return at::ones(sizes); });
  STATIC_REQUIRE(!Accepts<struct ones, decltype(-1_c)>);
  refused([&] { run(koila::ones(2, -1)); }, "ones of (2, -1): a size is out of range");
}

}  // namespace koila::test
