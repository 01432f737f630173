// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("dropouts, the family") {
  constexpr auto dropping = [](double p) -> dropout_attributes {
    dropout_attributes a;
    a.p = p;
    return a;
  };

  STATIC_REQUIRE(rules::dropout(dims({extent{2}, extent{3}}, dtype::float32), dropping(0.5)).out ==
                 dims({extent{2}, extent{3}}, dtype::float32));
  STATIC_REQUIRE(rules::dropout(dims(), dropping(1)).accepted());
  STATIC_REQUIRE(rules::dropout(dims({extent{2}, extent{3}}, dtype::float32), dropping(1.5)).reason ==
                 reason::probability_out_of_range);
  STATIC_REQUIRE(rules::dropout(dims({extent{2}, extent{3}}, dtype::int64), dropping(0.5)).reason ==
                 reason::not_a_floating_type);

  // At compile time, every call counts as a different call.
  STATIC_REQUIRE(!(dropping(0.5) == dropping(0.5)));
}

}  // namespace koila::test
