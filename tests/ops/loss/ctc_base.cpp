// SPDX-License-Identifier: MIT
#include <koila/ops/loss/ctc_base.hpp>

#include "pch.hpp"

namespace koila::test {

TEST_CASE("family: ctc") {
  constexpr auto n = extent{5, axis_name<struct batch>};
  constexpr dims logp({extent{6}, n, extent{4}}, float32), target({n, extent{3}}, int64), lengths({n}, int64);
  STATIC_REQUIRE(rules::ctc(logp, target, lengths, lengths, {}).out == dims({n}, float32));
  STATIC_REQUIRE(rules::ctc(dims(float64), target, dims(int64), lengths, {}).out == dims({n}, float64));
  STATIC_REQUIRE(rules::ctc(logp.with(bfloat16), target, lengths, lengths, {}).reason ==
                 reason::no_rule_for_these_dtypes);
  STATIC_REQUIRE(rules::ctc(logp.with(int64), target, lengths, lengths, {}).reason == reason::not_a_floating_type);
  STATIC_REQUIRE(rules::ctc(logp, target.with(int32), lengths, lengths, {}).reason == reason::labels_are_not_integers);
  STATIC_REQUIRE(rules::ctc(logp, lengths, lengths, lengths, {}).reason == reason::no_rule_for_these_ranks);
  STATIC_REQUIRE(rules::ctc(logp, target, lengths, dims({extent{7}}, int64), {}).reason ==
                 reason::labels_are_not_one_per_sample);

  constexpr dims out({n}, float32);
  constexpr auto flow = [=](const batch_relation& of_logp, const batch_relation& of_target,
                            const batch_relation& of_lengths) {
    const value features[] = {{logp, of_logp}, {target, of_target}, {lengths, of_lengths}, {lengths, of_lengths}};
    return flows::ctc(features, 4, out);
  };
  constexpr relations by_sample = flow(samples_along(1), {}, {});
  STATIC_REQUIRE((by_sample.out == samples_along(0) && by_sample.operand[0].along == samples_along(1)));
  STATIC_REQUIRE(by_sample.operand[3].along == samples_along(0));
  STATIC_REQUIRE(
      !flow(samples_along(0), {}, {}).out.sampled());  // the samples lie along the time steps: everything is gathered
  STATIC_REQUIRE(!flow({}, samples_along(1), {}).out.sampled());  // or along the labels
  STATIC_REQUIRE(flow({}, {}, samples_along(0)).operand[0].along == samples_along(1));
  STATIC_REQUIRE(flow({}, {}, {}).out == batch_relation{});
}

}  // namespace koila::test
