// Every model's plans under any budget: all that is read has been computed before.
#include "graph/support.hpp"
#include "models/check.hpp"

using namespace koila;
using namespace test;

TEST_CASE("whatever is held or computed again, what is read is there; plans do not depend on those before") {
  int recomputed = 0;
  for (const models::entry& e : models::all()) {
    for (const index_t samples : {7, 33}) {
      const subject s(e, dtype::float32, samples);
      if (samples < s.model().least) continue;
      for (const index_t chunk : {0, 4}) {
        const auto planner_of_loss = [&] {
          return koila::detail::planner_of(
              koila::detail::lower_with(koila::detail::lowering_of(s.model().loss), koila::detail::bindings_of(s.bound()), true,
                                        koila::detail::is_trained),
              {.chunk = chunk}, true);
        };
        planner plans = planner_of_loss();
        const memory_plan most = plans.choose(-1);
        index_t least = most.peak_bytes();
        try {
          (void)plans.choose(0);
        } catch (const memory_error& error) { least = error.needed; }
        constexpr index_t between = 8;
        for (index_t k = 0; k <= between; ++k) {
          const index_t budget = least + (most.peak_bytes() - least) * k / between;
          CAPTURE(e.name, samples, chunk, budget);
          const memory_plan p = plans.choose(budget);
          CHECK(p.peak_bytes() <= budget);
          CHECK(in_order(p.graph, p.order));
          if (samples == 7 && k == between / 2) {  // what was asked for before has no part in it
            const memory_plan at_once = planner_of_loss().choose(budget);
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
  CHECK(recomputed > 100);  // of these plans some compute values again inside a chunk
}
