// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <koila/ops/attention/attention_op.hpp>

namespace koila::test {

TEST_CASE("what attentions share: the rules with a mask, and what weights are") {
  constexpr dims q({extent{2}, extent{4}, extent{3}}, dtype::float32),
      k({extent{2}, extent{5}, extent{3}}, dtype::float32), v({extent{2}, extent{5}, extent{7}}, dtype::float32),
      mask({extent{4}, extent{5}}, dtype::boolean), wrong({extent{4}, extent{4}}, dtype::boolean),
      y({extent{2}, extent{4}, extent{7}}, dtype::float32);
  using forward = struct attention;
  using pull_back = struct attention_backward;
  STATIC_REQUIRE(forward::rule(q, k, v, mask, {}).out == y);
  STATIC_REQUIRE(forward::rule(q, k, v, wrong, {}).reason == reason::not_broadcastable);
  STATIC_REQUIRE(pull_back::rule(y, y, q, k, v, mask, {}).out ==
                 dims({extent{2}, extent{14}, extent{7}}, dtype::float32));
  STATIC_REQUIRE(pull_back::rule(q, y, q, k, v, mask, {}).reason == reason::shapes_differ);
  STATIC_REQUIRE(rules::attention_by_blocks(q, k, v, mask));
  STATIC_REQUIRE(!rules::attention_by_blocks(q, dims({extent{1}, extent{5}, extent{3}}, dtype::float32), v, mask));
  constexpr dims samples({extent{4}, extent{5, axis_name<struct batch>}}, dtype::boolean);
  STATIC_REQUIRE(!rules::attention_by_blocks(q, k, v, samples));  // the samples lie along the dim of the keys

  // The weights of a query sum to 1, or are all zero if all keys are masked.
  const at::Tensor a = normal({2, 4, 3}), b = normal({2, 5, 3});
  at::Tensor shown = at::ones({4, 5}, at::kBool);
  shown[1].fill_(false), shown[2][3] = false;
  const at::Tensor added = at::zeros({4, 5}, at::kDouble).masked_fill(shown.logical_not(), -INFINITY);
  for (const at::Tensor& m : {shown, added}) {
    // If the values are unit vectors, the result equals the weights.
    const at::Tensor p = attention(a, b, at::eye(5, at::kDouble).expand({2, 5, 5}), m);
    CHECK(p.select(1, 1).eq(0).all().item<bool>());
    CHECK(p.select(1, 2).select(1, 3).eq(0).all().item<bool>());
    CHECK(at::allclose(p.sum(-1), at::ones({2, 4}, at::kDouble).index_fill(1, at::ones({1}, at::kLong), 0)));
  }
}

}  // namespace koila::test
