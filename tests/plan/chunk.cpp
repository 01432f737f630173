// SPDX-License-Identifier: MIT
// The chosen chunk size, and the error if no chunk size fits.
#include "plan/support.hpp"

#include <sstream>

using namespace koila;
using namespace ::test;

namespace {

auto power_of_two(index_t n) -> bool { return n > 0 && (n & (n - 1)) == 0; }

void check_budgets(const auto& loss, index_t samples) {
  const memory_plan whole = planned(loss, samples, -1, {.chunk = samples});
  double before = std::numeric_limits<double>::infinity();
  bool feasible = false;
  for (index_t budget = whole.peak_bytes() / 64; budget < 3 * whole.peak_bytes() / 2; budget += budget / 16) {
    CAPTURE(samples, budget);
    try {
      const memory_plan p = planned(loss, samples, budget);
      feasible = true;
      CHECK(p.peak_bytes() <= budget);
      const bool of_64_chunks = p.chunk() == (samples + few_parts - 1) / few_parts;
      CHECK((p.chunk() == samples || power_of_two(p.chunk()) || of_64_chunks));
      CHECK(p.predicted_seconds <= before);  // a larger budget never gives a slower plan
      if (budget >= whole.peak_bytes()) CHECK((p.chunk() == samples || p.predicted_seconds < whole.predicted_seconds));
      before = p.predicted_seconds;
    } catch (const memory_error& e) {
      CHECK_FALSE(feasible);  // a larger budget never makes a plan infeasible
      CHECK(e.allowed == budget);
      CHECK(e.needed > budget);
      CHECK_NOTHROW(planned(loss, samples, e.needed));
    }
  }
  CHECK(feasible);
}

}  // namespace

TEST_CASE("the fastest chunk that fits is chosen") {
  SECTION("budgets, from too little to more than enough") {
    for (const index_t samples : {1, 2, 3, 20, 100, 1000, 4096}) {
      check_budgets(two_layers(), samples);
      check_budgets(contrastive(), samples);
      check_budgets(centred<1>(), samples);
    }
  }
  SECTION("where any chunk size fits, so does the plan") {
    const auto least = [](const auto& loss, index_t samples, index_t chunk) -> index_t {
      try {
        return planned(loss, samples, 0, {.chunk = chunk}).peak_bytes();
      } catch (const memory_error& e) { return e.needed; }
    };
    const auto search = [&](const auto& loss, index_t samples) {
      index_t best = least(loss, samples, samples);
      for (index_t chunk = 1; chunk < samples; ++chunk) best = std::min(best, least(loss, samples, chunk));
      CAPTURE(samples);
      CHECK(least(loss, samples, 0) == best);
    };
    for (const index_t samples : {2, 7, 33, 65, 129, 150, 200}) {
      search(two_layers(), samples);
      search(contrastive(), samples);
      search(centred<1>(), samples);
      search(centred<3>(), samples);
    }
    // If there are more than 64 chunks, the sums over the chunks need more memory.
    CHECK(planned(two_layers(), 150, least(two_layers(), 150, 0)).chunk() == 3);
  }
  SECTION("row 2: nothing is split that fits and would not be faster") {
    CHECK(planned(two_layers(), 20, -1).chunk() == 20);
    const machine even{.bytes_in_cache = 1e30};  // all chunk sizes are equally fast
    for (const index_t samples : {1000, 100000})
      CHECK(planned(two_layers(), samples, -1, {.machine = even}).chunk() == samples);
  }
  SECTION("a chunk may be fixed, and is cut to the batch") {
    CHECK(planned(two_layers(), 100, -1, {.chunk = 7}).chunk() == 7);
    CHECK(planned(two_layers(), 100, -1, {.chunk = 1000}).chunk() == 100);
    CHECK_THROWS_WITH(planned(two_layers(), 100, -1, {.chunk = -1}),
                      Catch::Matchers::ContainsSubstring(".chunk is -1 samples"));
  }
  SECTION("row 15: memory need not grow with the batch") {
    for (index_t samples = 1; samples <= 64; ++samples) {
      const index_t need = planned(centred<1>(), samples, -1, {.chunk = 1}).peak_bytes();
      CHECK_NOTHROW(planned(centred<1>(), samples, need));
    }
  }
  SECTION("a batch of no sample, of one") {
    const memory_plan none = planned(two_layers(), 0, -1), one = planned(two_layers(), 1, -1);
    CHECK(none.chunk() == 0);
    CHECK(none.batch == 0);
    CHECK(one.chunk() == 1);
    CHECK(planned(two_layers(), 0, -1, {.chunk = 8}).chunk() == 0);
    CHECK(planned(contrastive(), 0, -1).chunk() == 0);
    CHECK(planned(contrastive(), 1, -1).chunk() == 1);
    CHECK(planned(centred<1>(), 0, -1).chunk() == 0);
    CHECK_THROWS_AS(planned(two_layers(), 0, 10), memory_error);
  }
  SECTION("what needs no loop over the batch is refused like the rest, not cut") {
    lowered_expression l = lowered(flip(input<batch, 4>{"x"}, 0_c), 6);
    planner plans(std::move(l.graph), {{l.value}, {1}}, {});
    const memory_plan whole = plans.choose(-1);
    CHECK(whole.order.loops == 0);
    CHECK(plans.choose(whole.peak_bytes()).peak_bytes() == whole.peak_bytes());
    CHECK_THROWS_AS(plans.choose(whole.peak_bytes() - 1), memory_error);
  }
  SECTION("row 4: one sample that does not fit is an error that says why") {
    index_t least = 0;
    try {
      (void)planned(two_layers(), 1000, 0);
      FAIL("it was planned");
    } catch (const memory_error& e) { least = e.needed; }
    CHECK(planned(two_layers(), 1000, least).peak_bytes() == least);
    CHECK_THROWS_AS(planned(two_layers(), 1000, least - 1), koila::error);
    CHECK_THROWS_AS(planned(two_layers(), 1000, least - 1), std::runtime_error);
    try {
      (void)planned(two_layers(), 1000, least - 1);
      FAIL("it was planned");
    } catch (const memory_error& e) {
      using Catch::Matchers::ContainsSubstring;
      CHECK(e.needed == least);
      CHECK(e.allowed == least - 1);
      CHECK_THAT(e.what(), ContainsSubstring(" of 1000 samples"));
      CHECK_THAT(e.what(), ContainsSubstring(std::to_string(least) + " bytes are needed at "));
      CHECK_THAT(e.what(), ContainsSubstring(std::to_string(least - 1) + " are allowed"));
      // The gradient of w is alive at the step that the message names.
      CHECK_THAT(e.what(), ContainsSubstring("mm(transpose, x) [128, 64] " + std::to_string(128 * 64 * 4)));
    }
  }
  SECTION("balanced chunks are alike") {
    for (const index_t samples : {1000, 1001, 4095}) {
      const memory_plan whole = planned(two_layers(), samples, -1, {.policy = balanced});
      const memory_plan small = planned(two_layers(), samples, whole.peak_bytes() * 3 / 4, {.policy = balanced});
      const index_t chunks = chunks_of(samples, small.chunk());
      CHECK(small.peak_bytes() <= whole.peak_bytes() * 3 / 4);
      CHECK(small.chunk() == (samples + chunks - 1) / chunks);  // the smallest chunk for this number of chunks
    }
    for (const index_t samples : {0, 1, 2, 7})
      CHECK(planned(two_layers(), samples, -1, {.policy = balanced}).chunk() <= samples);
  }
  SECTION("explain shows loops, barriers, the peak") {
    std::ostringstream os;
    planned(contrastive(), 100, -1, {.chunk = 16}).explain(os);
    using Catch::Matchers::ContainsSubstring;
    CHECK_THAT(os.str(), ContainsSubstring("batch 100, chunk 16"));
    CHECK_THAT(os.str(), ContainsSubstring("7 x 16 samples"));
    CHECK_THAT(os.str(), ContainsSubstring("of the whole batch"));
    CHECK_THAT(os.str(), ContainsSubstring("gathered"));
    CHECK_THAT(os.str(), ContainsSubstring("<- peak"));
  }
}
