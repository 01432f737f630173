// SPDX-License-Identifier: MIT
#include "ops/check_filled.hpp"

namespace koila::test {

TEST_CASE("zeros") {
  check_filled([](const auto&... n) { return koila::zeros(n...); },
               [](at::IntArrayRef sizes) { return at::zeros(sizes); });
  STATIC_REQUIRE(!Accepts<struct zeros, decltype(-1_c)>);
  refused([&] { run(koila::zeros(2, -1)); }, "zeros of (2, -1): a size is out of range");
}

}  // namespace koila::test
