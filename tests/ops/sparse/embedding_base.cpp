// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("embeddings, the family") {
  constexpr auto padded = [](index_t i) -> embedding_attributes {
    embedding_attributes a;
    a.padding_idx = i;
    return a;
  };
  constexpr dims index = dims({extent{2}, extent{3}}, dtype::int64),
                 weight = dims({extent{5}, extent{4}}, dtype::float32);

  STATIC_REQUIRE(!embedding_attributes{}.given() && embedding_attributes{}.padding(5) == -1);
  STATIC_REQUIRE(padded(2).padding(5) == 2 && padded(-1).padding(5) == 4);

  STATIC_REQUIRE(rules::embedding(index, weight, {}).out == dims({extent{2}, extent{3}, extent{4}}, dtype::float32));
  STATIC_REQUIRE(rules::embedding(dims(dtype::int64), weight, {}).out == dims(dtype::float32));
  STATIC_REQUIRE(rules::embedding(weight, weight, {}).reason == reason::index_is_not_integers);
  STATIC_REQUIRE(rules::embedding(index, index, {}).reason == reason::not_a_floating_type);
  STATIC_REQUIRE(rules::embedding(index, dims({extent{5}}, dtype::float32), {}).reason ==
                 reason::no_rule_for_these_ranks);
  STATIC_REQUIRE(rules::embedding(index, weight, padded(-5)).accepted());
  STATIC_REQUIRE(rules::embedding(index, weight, padded(5)).reason == reason::number_is_too_large);
  STATIC_REQUIRE(rules::embedding(index, weight, padded(-6)).reason == reason::number_is_too_large);
}

}  // namespace koila::test
