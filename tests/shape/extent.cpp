// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/shape/extent.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

namespace {

constexpr extent three{3}, four{4}, one{1}, zero{0}, unknown{};
constexpr extent open_three{3, {}, true};
constexpr extent samples{-1, axis_name<struct batch>}, samples_of_three{3, axis_name<struct batch>},
    one_sample{1, axis_name<struct batch>};
constexpr extent words{-1, "words"}, three_words{3, "words"};

constexpr auto both(const extent& a, const extent& b, tristate expected) -> bool {
  return compare_extents(a, b) == expected && compare_extents(b, a) == expected;
}

}  // namespace

TEST_CASE("numbers are the same or not") {
  STATIC_REQUIRE(both(three, three, tristate::yes));
  STATIC_REQUIRE(both(zero, zero, tristate::yes));
  STATIC_REQUIRE(both(three, four, tristate::no));
  STATIC_REQUIRE(both(three, open_three, tristate::yes));
  STATIC_REQUIRE(both(four, open_three, tristate::no));
}

TEST_CASE("nothing is known of any") {
  STATIC_REQUIRE(both(unknown, unknown, tristate::maybe));
  STATIC_REQUIRE(both(unknown, three, tristate::maybe));
  STATIC_REQUIRE(both(unknown, samples, tristate::maybe));
  STATIC_REQUIRE(both(unknown, samples_of_three, tristate::maybe));
}

TEST_CASE("an axis equals itself and nothing else") {
  STATIC_REQUIRE(both(samples, samples, tristate::yes));
  STATIC_REQUIRE(both(samples, samples_of_three, tristate::yes));
  STATIC_REQUIRE(both(samples_of_three, one_sample, tristate::no));  // one axis cannot have two sizes
  STATIC_REQUIRE(both(samples, words, tristate::no));
  STATIC_REQUIRE(both(samples_of_three, three_words, tristate::no));  // different axes, although the numbers are equal
  STATIC_REQUIRE(both(samples, three, tristate::no));
  STATIC_REQUIRE(both(samples, one, tristate::no));
  STATIC_REQUIRE(both(samples_of_three, three, tristate::no));
}

TEST_CASE("an axis may be what a tensor leaves open") {
  STATIC_REQUIRE(both(samples, open_three, tristate::maybe));
  STATIC_REQUIRE(both(samples_of_three, open_three, tristate::yes));
  STATIC_REQUIRE(both(one_sample, open_three, tristate::no));
}

TEST_CASE("one broadcasts, an axis of one does not") {
  STATIC_REQUIRE(one.is_one());
  STATIC_REQUIRE(extent{1, {}, true}.is_one());
  STATIC_REQUIRE(!one_sample.is_one());
  STATIC_REQUIRE(!zero.is_one());
  STATIC_REQUIRE(!unknown.is_one());
}

TEST_CASE("of two that are the same, the one that says more") {
  const auto more = [](const extent& a, const extent& b, const extent& expected) {
    return either(a, b) == expected && either(b, a) == expected;
  };
  STATIC_REQUIRE(more(unknown, three, three));
  STATIC_REQUIRE(more(open_three, three, three));
  STATIC_REQUIRE(more(unknown, open_three, open_three));
  STATIC_REQUIRE(more(unknown, samples, samples));
  STATIC_REQUIRE(more(samples, samples_of_three, samples_of_three));
  STATIC_REQUIRE(more(samples, open_three, samples_of_three));
  STATIC_REQUIRE(more(unknown, unknown, unknown));
}
