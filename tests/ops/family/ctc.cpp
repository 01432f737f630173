#include <koila/ops/family/ctc.hpp>

#include "pch.hpp"

namespace koila::test {

TEST_CASE("family: ctc") {
  constexpr auto n = extent{5, axis_name<struct batch>};
  constexpr dims logp({extent{6}, n, extent{4}}, float32), target({n, extent{3}}, int64), lengths({n}, int64);
  STATIC_REQUIRE(rules::ctc(logp, target, lengths, lengths, {}).out == dims({n}, float32));
  STATIC_REQUIRE(rules::ctc(dims(float64), target, dims(int64), lengths, {}).out == dims({n}, float64));
  STATIC_REQUIRE(rules::ctc(logp.with(bfloat16), target, lengths, lengths, {}).reason == why::no_rule_for_these_dtypes);
  STATIC_REQUIRE(rules::ctc(logp.with(int64), target, lengths, lengths, {}).reason == why::not_a_floating_type);
  STATIC_REQUIRE(rules::ctc(logp, target.with(int32), lengths, lengths, {}).reason == why::labels_are_not_integers);
  STATIC_REQUIRE(rules::ctc(logp, lengths, lengths, lengths, {}).reason == why::no_rule_for_these_ranks);
  STATIC_REQUIRE(rules::ctc(logp, target, lengths, dims({extent{7}}, int64), {}).reason ==
                 why::labels_are_not_one_per_sample);

  constexpr auto flow = [](const value& x, const relation& samples) {
    relations f;
    return std::pair(flows::ctc(x, samples, f), f);
  };
  constexpr auto by_sample = flow({logp, rows(1)}, {});
  STATIC_REQUIRE((by_sample.first && by_sample.second.out == rows(0) && by_sample.second.operand[0].along == rows(1)));
  STATIC_REQUIRE(by_sample.second.operand[3].along == rows(0));
  STATIC_REQUIRE(!flow({logp, rows(0)}, {}).first);  // the samples are the time steps: everything is gathered
  STATIC_REQUIRE(flow({logp, {}}, rows(0)).second.operand[0].along == rows(1));
  STATIC_REQUIRE(flow({logp, {}}, {}).second.out == relation{});
}

}  // namespace koila::test
