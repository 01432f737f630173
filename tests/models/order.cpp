// SPDX-License-Identifier: MIT
// Plans of every model under any budget: each value is computed before it is read.
#include "graph/support.hpp"
#include "models/check.hpp"

using namespace koila;
using namespace ::test;

namespace {

/// Returns a planner of a model's loss and gradients. If `own_gradients`, the plan's memory
/// contains the gradients; otherwise a step provides their memory.
auto planner_of_loss(const subject& s, const options& o, bool own_gradients = true) -> planner {
  return koila::detail::planner_of(
      koila::detail::lower_with(koila::detail::lowering_of(s.model().loss),
                                koila::detail::bindings_of(models::bound_in(s.model().loss, s.bound())), true,
                                koila::detail::is_trained),
      o, own_gradients);
}
/// Returns the smallest budget, in bytes, for which there is a plan.
auto least_bytes(planner& plans) -> index_t {
  try {
    return plans.choose(0).peak_bytes();
  } catch (const memory_error& error) { return error.needed; }
}

auto fits(planner& plans, index_t budget) -> bool {
  try {
    return plans.choose(budget).peak_bytes() <= budget;
  } catch (const memory_error&) { return false; }
}

/// Returns true if both plans compute the same nodes in the same loops.
auto same_bodies(const memory_plan& x, const memory_plan& y) -> bool {
  return std::equal(x.order.loop_of.begin(), x.order.loop_of.end(), y.order.loop_of.begin(), y.order.loop_of.end(),
                    [](const auto& a, const auto& b) { return a.body == b.body; });
}

}  // namespace

TEST_CASE("whatever is held or computed again, what is read is there, and plans do not depend on those before") {
  int recomputed = 0;
  for (const models::entry& e : models::all()) {
    for (const index_t samples : {7, 33}) {
      const subject s(e, dtype::float32, samples);
      if (samples < s.model().least) continue;
      for (const index_t chunk : {0, 4}) {
        planner plans = planner_of_loss(s, {.chunk = chunk});
        const memory_plan most = plans.choose(-1);
        const index_t least = least_bytes(plans);
        constexpr index_t between = 8;
        for (index_t k = 0; k <= between; ++k) {
          const index_t budget = least + (most.peak_bytes() - least) * k / between;
          CAPTURE(e.name, samples, chunk, budget);
          const memory_plan p = plans.choose(budget);
          CHECK(p.peak_bytes() <= budget);
          CHECK(in_order(p.graph, p.order));
          if (samples == 7 && k == between / 2) {  // earlier requests must not change the plan
            const memory_plan at_once = planner_of_loss(s, {.chunk = chunk}).choose(budget);
            CHECK(at_once.peak_bytes() == p.peak_bytes());
            CHECK(at_once.predicted_seconds == p.predicted_seconds);
            CHECK(at_once.chunks == p.chunks);
          }
          for (const auto& loop : p.order.loop_of) {
            std::vector<int> nodes = loop.body;
            std::sort(nodes.begin(), nodes.end());
            recomputed += std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end() ? 1 : 0;
          }
        }
      }
    }
  }
  CHECK(recomputed > 100);  // some of these plans recompute values inside a chunk
}

TEST_CASE("what fits in chunks of some size fits when the size is chosen, too") {
  for (const models::entry& e : models::all()) {
    for (const dtype t : {dtype::float32, dtype::float64}) {
      for (const index_t samples : {2, 8}) {
        const subject s(e, t, samples);
        if (samples < s.model().least) continue;
        for (const bool own_gradients : {true, false}) {
          planner any = planner_of_loss(s, {}, own_gradients);
          const index_t least = least_bytes(any);
          for (index_t chunk = 1; chunk <= samples; chunk *= 2) {
            planner fixed = planner_of_loss(s, {.chunk = chunk}, own_gradients);
            CAPTURE(e.name, t, samples, chunk, own_gradients, least);
            const index_t of_this = least_bytes(fixed);
            CHECK((least <= of_this || fits(any, of_this)));
          }
        }
      }
    }
  }
}

TEST_CASE(
    "of chunks that are alike one is chosen that takes no more memory than the fastest, or is faster, under any budget") {
  int smaller = 0;
  for (const models::entry& e : models::all()) {
    const subject s(e, dtype::float32, 64);
    const machine exact{.min_speedup = 0}, blurred{.min_speedup = 0, .tie_tolerance = 0.5};
    planner by_speed = planner_of_loss(s, {.machine = exact}), by_memory = planner_of_loss(s, {.machine = blurred});
    const index_t most = by_speed.choose(-1).peak_bytes(), least = least_bytes(by_speed);
    const memory_plan unlimited = by_memory.choose(-1);
    for (const index_t budget : {index_t{-1}, most, (most + least) / 2, least}) {
      CAPTURE(e.name, budget);
      const memory_plan fastest = by_speed.choose(budget), chosen = by_memory.choose(budget);
      // The plan for unlimited memory is also chosen for every budget that is large enough for it,
      // even if there is a faster and smaller plan. Otherwise the amount of free memory would
      // change the plan. For a large graph, if the budget is too small for the fastest plan, the
      // planner considers only a selection of plans.
      const bool selected = budget >= 0 && budget < most && chosen.predicted_seconds < fastest.predicted_seconds;
      const bool as_without_limit = chosen.peak_bytes() == unlimited.peak_bytes() && chosen.chunks == unlimited.chunks;
      CHECK((chosen.peak_bytes() <= fastest.peak_bytes() || selected || as_without_limit));
      CHECK(chosen.predicted_seconds <= 1.5 * fastest.predicted_seconds);
      smaller += chosen.peak_bytes() < fastest.peak_bytes() ? 1 : 0;
    }
  }
  CHECK(smaller > 50);
}

TEST_CASE("trials A6: how much memory is free changes no plan, as long as it is enough for the plan") {
  for (const models::entry& e : models::all()) {
    for (const double tolerance : {0.02, 0.5}) {
      const subject s(e, dtype::float32, 64);
      const options with{.machine = machine{.min_speedup = 0, .tie_tolerance = tolerance}};
      const memory_plan whole = planner_of_loss(s, {.chunk = 64, .machine = with.machine}).choose(-1),
                        chosen = planner_of_loss(s, with).choose(-1);
      const index_t enough = chosen.peak_bytes(), most = std::max(whole.peak_bytes(), enough);
      for (const index_t budget :
           {enough, enough + (most - enough) / 7, enough + (most - enough) / 2, most, 10 * most}) {
        CAPTURE(e.name, tolerance, budget, enough, most);
        const memory_plan p = planner_of_loss(s, with).choose(budget);
        CHECK(p.chunks == chosen.chunks);
        CHECK(p.peak_bytes() == enough);
        CHECK(same_bodies(p, chosen));
      }
    }
  }
}

TEST_CASE("of chunks that are alike the smallest is chosen, whatever was asked for before") {
  int others = 0;
  for (const models::entry& e : models::all()) {
    for (const double tolerance : {0.02, 0.5}) {
      const subject s(e, dtype::float32, 64);
      const machine blurred{.min_speedup = 0, .tie_tolerance = tolerance};
      const options any{.machine = blurred};
      const memory_plan chosen = planner_of_loss(s, any).choose(-1),
                        fastest = planner_of_loss(s, {.machine = machine{.min_speedup = 0}}).choose(-1);
      CAPTURE(e.name, tolerance);
      planner short_before = planner_of_loss(s, any);
      least_bytes(short_before);
      const memory_plan again = short_before.choose(-1);
      CHECK(again.peak_bytes() == chosen.peak_bytes());
      CHECK(again.predicted_seconds == chosen.predicted_seconds);
      CHECK(again.chunks == chosen.chunks);
      // Another chunk size within the tolerance, with the same loops, must not need less memory,
      // and must not be faster with the same memory.
      for (index_t chunk = 1; chunk <= 64; chunk *= 2) {
        const memory_plan p = planner_of_loss(s, {.chunk = chunk, .machine = blurred}).choose(-1);
        if (p.predicted_seconds > (1 + tolerance) * fastest.predicted_seconds || !same_bodies(p, fastest)) continue;
        CAPTURE(chunk);
        CHECK(p.peak_bytes() >= chosen.peak_bytes());
        CHECK((p.peak_bytes() > chosen.peak_bytes() || p.predicted_seconds >= chosen.predicted_seconds));
        ++others;
      }
    }
  }
  CHECK(others > 100);
}
