// Which chunk is chosen, and what is said where none fits.
#include "graph/support.hpp"

#include <sstream>

using namespace koila;
using namespace test;

namespace {

auto planned(const auto& loss, index_t samples, index_t budget, options o = {}, machine m = {}) -> memory_plan {
  lowered_expression l = lowered(loss, samples, true);
  request want{{l.value}, {1}};
  for (const int g : l.gradients)
    if (g >= 0) want.outputs.push_back(g), want.external.push_back(0);
  return make_plan(std::move(l.graph), std::move(want), o, budget, m);
}

constexpr auto classifier() {
  input<batch, 64> x{"x"};
  input<int64, batch> label{"label"};
  parameter<128, 64> w{"w"};
  parameter<10, 128> v{"v"};
  return cross_entropy(linear(relu(linear(x, w)), v), label);
}
constexpr auto contrastive() {
  input<batch, 64> x{"x"};
  input<int64, batch> label{"label"};
  parameter<32, 64> w{"w"};
  auto z = let(linear(x, w));
  return cross_entropy(matmul(z, transpose(z, 0_c, 1_c)), label);
}
constexpr auto centred() {
  input<batch, 64> x{"x"};
  parameter<64, 64> w{"w"};
  auto z = let(relu(linear(x, w)));
  auto c = let(z - mean(z, 0_c));
  return mean(c * c);
}

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
      CHECK((p.chunk() == samples || power_of_two(p.chunk())));
      CHECK(p.predicted_seconds <= before);  // a larger budget never gives a slower plan
      if (budget >= whole.peak_bytes()) CHECK((p.chunk() == samples || p.predicted_seconds < whole.predicted_seconds));
      before = p.predicted_seconds;
    } catch (const memory_error& e) {
      CHECK_FALSE(feasible);  // nor is it infeasible
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
      check_budgets(classifier(), samples);
      check_budgets(contrastive(), samples);
      check_budgets(centred(), samples);
    }
  }
  SECTION("row 2: nothing is split that fits and would not be faster") {
    CHECK(planned(classifier(), 20, -1).chunk() == 20);
    const machine even{.bytes_in_cache = 1e30};  // nothing is gained by chunks that stay in cache
    for (const index_t samples : {1000, 100000}) CHECK(planned(classifier(), samples, -1, {}, even).chunk() == samples);
  }
  SECTION("a chunk may be fixed, and is cut to the batch") {
    CHECK(planned(classifier(), 100, -1, {.chunk = 7}).chunk() == 7);
    CHECK(planned(classifier(), 100, -1, {.chunk = 1000}).chunk() == 100);
  }
  SECTION("row 15: memory need not grow with the batch") {
    for (index_t samples = 1; samples <= 64; ++samples) {
      const index_t need = planned(centred(), samples, -1, {.chunk = 1}).peak_bytes();
      CHECK_NOTHROW(planned(centred(), samples, need));
    }
  }
  SECTION("a batch of no sample, of one") {
    const memory_plan none = planned(classifier(), 0, -1), one = planned(classifier(), 1, -1);
    CHECK(none.chunk() == 0);
    CHECK(none.batch == 0);
    CHECK(one.chunk() == 1);
    CHECK(planned(classifier(), 0, -1, {.chunk = 8}).chunk() == 0);
    CHECK(planned(contrastive(), 0, -1).chunk() == 0);
    CHECK(planned(contrastive(), 1, -1).chunk() == 1);
    CHECK(planned(centred(), 0, -1).chunk() == 0);
    CHECK_THROWS_AS(planned(classifier(), 0, 10), memory_error);
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
      (void)planned(classifier(), 1000, 0);
      FAIL("it was planned");
    } catch (const memory_error& e) { least = e.needed; }
    CHECK(planned(classifier(), 1000, least).peak_bytes() == least);
    try {
      (void)planned(classifier(), 1000, least - 1);
      FAIL("it was planned");
    } catch (const memory_error& e) {
      using Catch::Matchers::ContainsSubstring;
      CHECK(e.needed == least);
      CHECK(e.allowed == least - 1);
      CHECK_THAT(e.what(), ContainsSubstring(" of 1000 samples"));
      CHECK_THAT(e.what(), ContainsSubstring(std::to_string(least) + " bytes are needed at "));
      CHECK_THAT(e.what(), ContainsSubstring(std::to_string(least - 1) + " are allowed"));
      CHECK_THAT(e.what(), ContainsSubstring("mm(transpose, x) [128, 64] " +
                                             std::to_string(128 * 64 * 4)));  // what is alive: the gradient of w
    }
  }
  SECTION("balanced chunks are alike") {
    for (const index_t samples : {1000, 1001, 4095}) {
      const memory_plan whole = planned(classifier(), samples, -1, {.policy = balanced});
      const memory_plan small = planned(classifier(), samples, whole.peak_bytes() * 3 / 4, {.policy = balanced});
      const index_t chunks = chunks_of(samples, small.chunk());
      CHECK(small.peak_bytes() <= whole.peak_bytes() * 3 / 4);
      CHECK(small.chunk() == (samples + chunks - 1) / chunks);  // as small as so many chunks can be
    }
    for (const index_t samples : {0, 1, 2, 7})
      CHECK(planned(classifier(), samples, -1, {.policy = balanced}).chunk() <= samples);
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
