// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("windows") {
  constexpr auto many = [](extent x, extent k, index_t s, index_t p, index_t d, bool ceil = false) {
    return rules::windowed_extent(x, k, s, p, d, ceil);
  };
  STATIC_REQUIRE(many({7}, {3}, 1, 0, 1).e == extent{5});
  STATIC_REQUIRE(many({7}, {3}, 2, 1, 2).e == extent{3});
  STATIC_REQUIRE(many({6}, {3}, 2, 0, 1).e == extent{2});
  STATIC_REQUIRE(many({6}, {3}, 2, 0, 1, true).e == extent{3});
  STATIC_REQUIRE(many({3}, {1}, 3, 0, 1, true).e == extent{1});  // no window begins outside the input
  STATIC_REQUIRE(many({2}, {3}, 1, 0, 1).reason == reason::kernel_larger_than_input);
  STATIC_REQUIRE(many({2}, {3}, 1, 1, 1).e == extent{2});
  STATIC_REQUIRE(many({2}, {0}, 1, 0, 1).reason == reason::size_out_of_range);
  constexpr extent samples{-1, axis_name<struct batch>}, unknown{};
  STATIC_REQUIRE(many(samples, {1}, 1, 0, 1).e == samples);
  STATIC_REQUIRE(!many(samples, {2}, 1, 0, 1).e.known());
  STATIC_REQUIRE(!many({5}, unknown, 1, 0, 1).e.known());
}

}  // namespace koila::test
