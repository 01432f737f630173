// SPDX-License-Identifier: MIT
#include <koila/base/error.hpp>

#include "catch.hpp"

#include <string>

namespace koila::test {

namespace {

template <class Error, class Standard>
void check() {
  const auto raise = [] { throw Error("what is wrong"); };
  try {
    raise();
    FAIL("nothing was thrown");
  } catch (const error& e) { CHECK(std::string(e.what()) == "what is wrong"); }
  CHECK_THROWS_AS(raise(), Standard);
  CHECK_THROWS_AS(raise(), std::exception);
  CHECK_THROWS_WITH(raise(), "what is wrong");
}

}  // namespace

TEST_CASE("each of koila's exceptions is a koila::error, and one of the standard library's") {
  check<shape_error, std::invalid_argument>();
  check<argument_error, std::invalid_argument>();
  check<usage_error, std::logic_error>();
  check<file_error, std::runtime_error>();
}

}  // namespace koila::test
