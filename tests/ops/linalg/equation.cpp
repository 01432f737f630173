// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("equation") {
  constexpr auto read = [](const char* e, int n, int first, int second = 0) {
    const int ranks[] = {first, second};
    return detail::read(equation(e), n, ranks);
  };
  STATIC_REQUIRE(read("ij,jk->ik", 2, 2, 2).reason == reason::accepted);
  STATIC_REQUIRE(read("ij,jk->ik", 2, 2, 2).out.find('k') == 1);
  STATIC_REQUIRE(read(" ij , jk ", 2, 2, 2).out.n == 2);
  STATIC_REQUIRE(read("ba", 1, 2).out.find('a') == 0);
  STATIC_REQUIRE(read("...i,ij", 2, 4, 2).out.n == 4);
  STATIC_REQUIRE(read("...i,ij", 2, 4, 2).out.find(-3) == 0);
  STATIC_REQUIRE(read("i...->...", 1, 1).out.n == 0);
  STATIC_REQUIRE(read("ij", 2, 2, 2).reason == reason::wrong_number_of_operands);
  STATIC_REQUIRE(read("ij", 1, 3).reason == reason::no_rule_for_these_ranks);
  STATIC_REQUIRE(read("..i", 1, 3).reason == reason::not_an_equation);
  STATIC_REQUIRE(read("i...j...", 1, 3).reason == reason::not_an_equation);
  STATIC_REQUIRE(read("ij->ijk", 1, 2).reason == reason::not_an_equation);
  STATIC_REQUIRE(read("i,j,k->i", 2, 1, 1).reason == reason::wrong_number_of_operands);
  STATIC_REQUIRE(read("ij->ii", 1, 2).reason == reason::dim_given_twice);
  STATIC_REQUIRE(read("abcd,efghi", 2, 4, 5).reason == reason::too_many_dimensions);
  STATIC_REQUIRE(read("a-b", 1, 2).reason == reason::not_an_equation);
}

}  // namespace koila::test
