// SPDX-License-Identifier: MIT
#include <koila/ops/loss/labels.hpp>

#include "pch.hpp"

namespace koila::test {

TEST_CASE("family: labels") {
  constexpr auto n = extent{6, axis_name<struct batch>};
  constexpr dims scores({n, extent{4}}, float32), label({n}, int64);
  SECTION("rule") {
    STATIC_REQUIRE(rules::labelled(scores, label, float32).out == dims({n}, float32));
    STATIC_REQUIRE(rules::labelled(dims({extent{4}}, float64), scalar(int64), float64).out == scalar(float64));
    STATIC_REQUIRE(rules::labelled(dims({n, extent{4}, extent{2}, extent{3}}, float32),
                                   dims({n, extent{2}, extent{3}}, int64), float32)
                       .out == dims({n, extent{2}, extent{3}}, float32));
    STATIC_REQUIRE(rules::labelled(dims(float32), label, float32).out == dims({n}, float32));
    STATIC_REQUIRE(rules::labelled(scores, dims(int64), float32).accepted());
    STATIC_REQUIRE(rules::labelled(scores, dims({n}, int32), float32).reason == reason::labels_are_not_integers);
    STATIC_REQUIRE(rules::labelled(scores.with(int64), label, int64).reason == reason::not_a_floating_type);
    STATIC_REQUIRE(rules::labelled(scalar(float32), label, float32).reason == reason::no_rule_for_these_ranks);
    STATIC_REQUIRE(rules::labelled(scores, scalar(int64), float32).reason == reason::labels_are_not_one_per_sample);
    STATIC_REQUIRE(rules::labelled(scores, dims({extent{5}}, int64), float32).reason ==
                   reason::labels_are_not_one_per_sample);
    STATIC_REQUIRE(rules::class_weights(scores, dims({extent{4}}, float32)) == reason::accepted);
    STATIC_REQUIRE(rules::class_weights(dims(float32), dims({extent{4}}, float32)) == reason::accepted);
    STATIC_REQUIRE(rules::class_weights(scores, dims({extent{5}}, float32)) == reason::weight_is_not_per_channel);
    STATIC_REQUIRE(rules::class_weights(scores, dims({extent{4}}, float64)) == reason::dtypes_differ);
  }
  SECTION("flow") {
    constexpr auto needs = [](const need& one, const batch_relation& r) {
      return one.kind == need::rows && one.along == r;
    };
    constexpr auto f = flows::labelled({scores, samples_along(0)}, {label, samples_along(0)}, dims({n}, float32));
    STATIC_REQUIRE(f.out == samples_along(0));
    STATIC_REQUIRE((needs(f.operand[0], samples_along(0)) && needs(f.operand[1], samples_along(0))));
    // The classes are a middle dim: the samples lie along dim 2 of (3, classes, batch) and along
    // dim 1 of the labels.
    constexpr dims last({extent{3}, extent{4}, n}, float32), of_last({extent{3}, n}, int64);
    constexpr auto g = flows::labelled({last, samples_along(2)}, {of_last, samples_along(1)}, of_last.with(float32));
    STATIC_REQUIRE(g.out == samples_along(1));
    STATIC_REQUIRE((needs(g.operand[0], samples_along(2)) && needs(g.operand[1], samples_along(1))));
    STATIC_REQUIRE(
        flows::labelled({last, {}}, {of_last, samples_along(1, 1, 2)}, of_last.with(float32)).operand[0].along ==
        samples_along(2, 1, 2));
    // If the samples lie along the dim of the classes, operands are gathered.
    constexpr dims transposed({extent{6}, n}, float32);
    STATIC_REQUIRE(
        flows::labelled({transposed, samples_along(1)}, {dims({extent{6}}, int64), {}}, dims({extent{6}}, float32))
            .operand[0]
            .kind == need::whole);
    STATIC_REQUIRE(
        flows::labelled({dims({n}, float32), samples_along(0)}, {scalar(int64), {}}, scalar(float32)).operand[0].kind ==
        need::whole);
    STATIC_REQUIRE(flows::labelled({scores, {}}, {label, {}}, dims({n}, float32)).out == batch_relation{});
  }
}

}  // namespace koila::test
