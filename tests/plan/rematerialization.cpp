// SPDX-License-Identifier: MIT
// Plans that keep all, some or no values between loops. With more memory, fewer values are computed
// twice.
#include "plan/support.hpp"

#include <set>

using namespace koila;
using namespace ::test;

namespace {

/// Counts the nodes that all loops compute. Views do not count.
auto calls(const memory_plan& p) -> int {
  int n = 0;
  for (const auto& loop : p.order.loop_of)
    for (const int i : loop.body) n += p.graph.node(i).is_view() ? 0 : 1;
  return n;
}

/// The peak bytes and the seconds for every subset of the values that may be kept between loops,
/// with chunks of every power of two. `best` returns the shortest time within a budget.
struct exhaustive {
  std::vector<std::pair<index_t, double>> all;

  exhaustive(const auto& loss, index_t samples) {
    lowered_expression l = lowered(loss, samples, true);
    std::vector<int> outputs{l.graph.whole(l.value)};
    for (const int g : l.gradients)
      if (g >= 0) outputs.push_back(l.graph.whole(g));
    const builder& b = l.graph;
    const schedule nothing = needed(b, outputs), everything = holding_everything(b, outputs);
    std::vector<char> external(b.nodes.size(), 0);
    // The loss is stored outside the arena.
    external[static_cast<std::size_t>(nothing.nodes[static_cast<std::size_t>(outputs[0])].owner)] = 1;
    std::set<int> values;
    for (const auto& loop : everything.loop_of) values.insert(loop.held_in.begin(), loop.held_in.end());
    REQUIRE(values.size() <= 12);
    const std::vector<int> held(values.begin(), values.end()), first = nothing.first_loops();
    for (unsigned subset = 0; subset < 1U << held.size(); ++subset) {
      saved_set hold(b.nodes.size(), nothing.loops);
      for (std::size_t k = 0; k < held.size(); ++k)
        if ((subset >> k & 1U) != 0) hold.hold(held[k], first[static_cast<std::size_t>(held[k])], nothing.loops - 1);
      const schedule s(nothing, b, hold);
      const lifetimes whole(b, s, external, samples, std::vector<index_t>(static_cast<std::size_t>(s.loops), samples));
      const schedule_work work(b, s, whole, samples);
      for (index_t c = 1; c <= samples; c *= 2) {
        lifetimes buffers(b, s, external, samples, std::vector<index_t>(static_cast<std::size_t>(s.loops), c));
        all.emplace_back(assign_offsets(buffers.ranges) + buffers.workspace() + 4,
                         work.seconds(std::vector<index_t>(static_cast<std::size_t>(s.loops), c), {}) /
                             (c < samples ? 1 - machine{}.min_speedup : 1));
      }
    }
  }
  auto best(index_t budget) const -> double {
    double seconds = std::numeric_limits<double>::infinity();
    for (const auto& [peak, s] : all)
      if (peak <= budget) seconds = std::min(seconds, s);
    return seconds;
  }
};

}  // namespace

TEST_CASE("a larger budget holds more: never slower, never infeasible") {
  const auto loss = centred<6>();
  constexpr index_t samples = 4096;
  const memory_plan most = planned(loss, samples, -1);
  std::set<int> different;
  double before = std::numeric_limits<double>::infinity();
  bool feasible = false;
  for (index_t budget = most.peak_bytes() / 32; budget <= most.peak_bytes(); budget += most.peak_bytes() / 64) {
    CAPTURE(budget);
    try {
      const memory_plan p = planned(loss, samples, budget);
      feasible = true;
      CHECK(p.peak_bytes() <= budget);
      CHECK(p.predicted_seconds <= before);
      before = p.predicted_seconds;
      different.insert(calls(p));
    } catch (const memory_error&) { CHECK_FALSE(feasible); }
  }
  CHECK(feasible);
  CHECK(different.size() >= 6);  // some candidates keep some values and recompute others
  CHECK(calls(planned(loss, samples, most.peak_bytes())) == calls(most));
}

TEST_CASE("of few values the best subset there is is held") {
  int budgets = 0;
  const auto as_good_as_the_best = [&](const auto& loss, index_t samples) {
    const exhaustive all(loss, samples);
    const memory_plan most = planned(loss, samples, -1);
    for (index_t budget = most.peak_bytes() / 16; budget < most.peak_bytes(); budget += most.peak_bytes() / 32) {
      CAPTURE(budget, samples);
      const double best = all.best(budget);
      if (best < std::numeric_limits<double>::infinity()) {
        CHECK(planned(loss, samples, budget).predicted_seconds <= best * (1 + 1e-9));
        ++budgets;
      // A plan may still fit if values are also recomputed inside a chunk.
      } else {
        try {
          const memory_plan p = planned(loss, samples, budget);
          CHECK(p.peak_bytes() <= budget);
        } catch (const memory_error& e) { CHECK(e.needed > budget); }
      }
    }
  };
  as_good_as_the_best(centred<1>(), 1024);
  as_good_as_the_best(centred<2>(), 1024);
  as_good_as_the_best(centred<3>(), 256);
  CHECK(budgets >= 40);
}

TEST_CASE("every candidate computes all that it reads") {
  // place() and the run depend on this property. tests/run/rematerialization.cpp runs candidates,
  // and tests/models/order.cpp checks every model.
  const auto loss = centred<4>();
  lowered_expression l = lowered(loss, 64, true);
  std::vector<int> outputs{l.graph.whole(l.value)};
  for (const int g : l.gradients)
    if (g >= 0) outputs.push_back(l.graph.whole(g));
  const builder& b = l.graph;
  const schedule nothing = needed(b, outputs), everything = holding_everything(b, outputs);
  const auto candidates = koila::detail::rematerialization_candidates(
      b, nothing, everything, std::vector<char>(b.nodes.size(), 0), 64, cost_model(b, {}));
  CHECK(candidates.size() >= 8);
  for (const saved_set& hold : candidates) CHECK(in_order(b, schedule(nothing, b, hold)));
}
