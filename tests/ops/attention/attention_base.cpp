// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("attentions, the family") {
  constexpr dims q = dims({extent{2}, extent{4}, extent{3}}, dtype::float32),
                 k = dims({extent{2}, extent{5}, extent{3}}, dtype::float32),
                 v = dims({extent{2}, extent{5}, extent{7}}, dtype::float32);

  STATIC_REQUIRE(rules::attention(q, k, v).out == dims({extent{2}, extent{4}, extent{7}}, dtype::float32));
  STATIC_REQUIRE(rules::attention(q, dims({extent{5}, extent{3}}, dtype::float32), v).out ==
                 dims({extent{2}, extent{4}, extent{7}}, dtype::float32));
  STATIC_REQUIRE(rules::attention(q, dims(dtype::float32), v).out == dims(dtype::float32));
  STATIC_REQUIRE(rules::attention(q, q, v).reason == reason::shapes_differ);
  STATIC_REQUIRE(rules::attention(q, v, v).reason == reason::embedding_dimensions_differ);
  STATIC_REQUIRE(rules::attention(q, dims({extent{3}, extent{5}, extent{3}}, dtype::float32), v).reason ==
                 reason::batch_dimensions_differ);
  STATIC_REQUIRE(rules::attention(q, k.with(dtype::float64), v).reason == reason::dtypes_differ);
  STATIC_REQUIRE(rules::attention(q.with(dtype::int64), k, v).reason == reason::not_a_floating_type);
  STATIC_REQUIRE(rules::attention(dims({extent{3}}), k, v).reason == reason::no_rule_for_these_ranks);

  // Masks broadcast to the shape of the scores, (2, 4, 5).
  STATIC_REQUIRE(rules::attention(q, k, v, dims({extent{4}, extent{5}}, dtype::boolean)).accepted());
  STATIC_REQUIRE(rules::attention(q, k, v, dims({extent{2}, extent{1}, extent{5}}, dtype::float32)).accepted());
  STATIC_REQUIRE(rules::attention(q, k, v, dims({extent{4}, extent{4}}, dtype::boolean)).reason ==
                 reason::not_broadcastable);
  STATIC_REQUIRE(rules::attention(q, k, v, dims({extent{3}, extent{2}, extent{4}, extent{5}}, dtype::boolean)).reason ==
                 reason::not_broadcastable);
  STATIC_REQUIRE(rules::attention(q, k, v, dims({extent{4}, extent{5}}, dtype::int64)).reason ==
                 reason::mask_is_not_boolean);
}

}  // namespace koila::test
