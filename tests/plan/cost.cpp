// SPDX-License-Identifier: MIT
// Predicted times of plans: the effect of caches, and the number of threads that a kernel uses.
#include "graph/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

constexpr auto near(double a, double b) -> bool { return a - b < 1e-12 * b && b - a < 1e-12 * b; }

// A byte is read from the fastest cache that still holds it, given the bytes moved since its last
// access.
constexpr machine by_caches{.bytes_in_cache = 1e6,
                            .bandwidth_in_cache = 4e10,
                            .bytes_in_shared_cache = 1e7,
                            .bandwidth_in_shared_cache = 2e10,
                            .bandwidth_of_memory = 1e10};
static_assert(near(by_caches.seconds_per_byte(1e6), 1 / 4e10) && near(by_caches.seconds_per_byte(1e7), 1 / 2e10));
static_assert(near(by_caches.seconds_per_byte(2e7), 1 / 1e10));

// A kernel runs on all threads if this saves more time than starting the threads takes. Otherwise
// it runs on a single thread.
constexpr machine of_four{.threads = 4, .seconds_per_team = 3e-6};
static_assert(near(of_four.seconds_on_threads(1e-3), 1e-3 + 3e-6));
static_assert(near(of_four.seconds_on_threads(1e-7), 4e-7));
static_assert(near(of_four.seconds_on_threads(1e-6), 4e-6));  // as long on one thread as on four
static_assert(near(machine().seconds_on_threads(1e-7), 1e-7));

static_assert(of_four.is_usable() && !machine{.threads = 0}.is_usable() &&
              !machine{.seconds_per_team = -1}.is_usable());

/// Returns the predicted seconds of a training step of a perceptron in chunks of `chunk` samples.
auto seconds(index_t chunk, const machine& m) -> double {
  constexpr index_t samples = 4096;
  input<batch, 64> x{"x"};
  parameter<64, 64> w{"w"};
  lowered_expression l = lowered(mean(square(relu(linear(x, w)))), samples, true);
  std::vector<int> outputs{l.graph.whole(l.value)};
  for (const int g : l.gradients)
    if (g >= 0) outputs.push_back(l.graph.whole(g));
  const schedule s = needed(l.graph, outputs);
  const std::vector<index_t> chunks(static_cast<std::size_t>(s.loops), chunk);
  const lifetimes life(l.graph, s, std::vector<char>(l.graph.nodes.size(), 0), samples, chunks);
  return schedule_work(l.graph, s, life, samples).seconds(chunks, m);
}

}  // namespace

TEST_CASE("the smaller the chunks the more teams: they cost more where a team does") {
  const machine free{.seconds_per_call = 1e-12, .threads = 2},
      dear{.seconds_per_call = 1e-12, .threads = 2, .seconds_per_team = 2e-6};
  const auto of_teams = [&](index_t chunk) { return seconds(chunk, dear) - seconds(chunk, free); };
  CHECK(of_teams(4096) > 0);
  CHECK(of_teams(256) > 8 * of_teams(4096));
}

TEST_CASE("chunks too small for a team take no longer than one thread does") {
  const machine one{.threads = 1}, two{.flops = 2 * one.flops,
                                       .elements = 2 * one.elements,
                                       .threads = 2,
                                       .seconds_per_team = 1,
                                       .bandwidth_in_cache = 2 * one.bandwidth_in_cache,
                                       .bandwidth_in_shared_cache = 2 * one.bandwidth_in_shared_cache,
                                       .bandwidth_of_memory = 2 * one.bandwidth_of_memory};
  for (const index_t chunk : {1, 64, 4096}) CHECK(near(seconds(chunk, two), seconds(chunk, one)));
}
