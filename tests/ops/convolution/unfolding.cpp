// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("the rule of unfolding") {
  constexpr dims x({extent{-1, axis_name<struct batch>}, extent{4}, extent{7}, extent{5}}, float32);
  constexpr auto with = [](auto... as) { return attributes_from<struct unfold>(as...); };
  STATIC_REQUIRE(rules::unfolded(x, with(2)).out == dims({x[0], extent{16}, extent{24}}, float32));
  STATIC_REQUIRE(rules::unfolded(x, with(list_of(3, 1), stride = 2)).out ==
                 dims({x[0], extent{12}, extent{9}}, float32));
  STATIC_REQUIRE(rules::unfolded(x, with(6)).reason == reason::kernel_larger_than_input);
  STATIC_REQUIRE(rules::unfolded(x, with()).reason == reason::dims_are_not_all_given);
  constexpr windows g = detail::windows_over(dims({extent{7}, extent{5}}), with(2, padding = 1));
  STATIC_REQUIRE(g.positions() == 8 * 6);
  STATIC_REQUIRE(g.elements() == 4);
  STATIC_REQUIRE(!g.trivial());
}

}  // namespace koila::test
