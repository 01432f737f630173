// SPDX-License-Identifier: MIT
// The loop that computes each value: levels, placement, and values kept between loops.
#include "graph/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

/// A chain of K steps that subtract the batch mean. Each step adds one loop.
template <int K>
constexpr auto normalised(const auto& x) {
  if constexpr (K == 0) return x;
  else {
    auto z = let(x * x);
    return normalised<K - 1>(z - mean(z, 0_c));
  }
}
constexpr auto coupled() {
  input<batch, 20> x{"x"};
  return let(normalised<3>(x));
}
static_assert(loops(coupled()) == 4);
static_assert(loops(sum(coupled())) == 4);  // three barriers: the last partial sum reads the third mean

struct work_of {
  int loops, calls, held;
};
enum class holding { nothing, everything };
/// Calls f with the graph of a loss and its gradients, and with its schedule.
constexpr auto scheduled(const auto& e, holding hold, index_t samples, const auto& f) {
  lowered_expression l = lowered(e, samples, true);
  std::vector<int> outputs{l.graph.whole(l.value)};
  for (const int g : l.gradients)
    if (g >= 0) outputs.push_back(l.graph.whole(g));
  if (hold == holding::nothing) return f(l.graph, needed(l.graph, outputs));
  return f(l.graph, holding_everything(l.graph, outputs));
}
constexpr auto work_with(const auto& e, holding hold) -> work_of {
  return scheduled(e, hold, 8, [](const builder& b, const schedule& s) {
    work_of w{s.loops, 0, 0};
    for (const auto& loop : s.loop_of) {
      w.held += static_cast<int>(loop.held_in.size());
      for (const int i : loop.body) w.calls += b.node(i).is_view() ? 0 : 1;
    }
    return w;
  });
}
constexpr auto deep_loss() {
  input<batch, 20> x{"x"};
  parameter<20, 20> w{"w"};
  return sum(normalised<3>(linear(x, w)));
}
static_assert(work_with(deep_loss(), holding::nothing).held == 0);
static_assert(work_with(deep_loss(), holding::everything).held > 0);
static_assert(work_with(deep_loss(), holding::everything).calls < work_with(deep_loss(), holding::nothing).calls);
static_assert(work_with(deep_loss(), holding::everything).loops == work_with(deep_loss(), holding::nothing).loops);

constexpr auto in_order(const auto& e, holding hold) -> bool {
  return scheduled(e, hold, 8, [](const builder& b, const schedule& s) { return ::test::in_order(b, s); });
}
constexpr auto contrastive() {
  input<batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  parameter<8, 20> w{"w"};
  auto z = let(linear(x, w));
  return cross_entropy(matmul(z, transpose(z, 0_c, 1_c)), label);
}
static_assert(in_order(deep_loss(), holding::nothing) && in_order(deep_loss(), holding::everything));
static_assert(in_order(contrastive(), holding::nothing) && in_order(contrastive(), holding::everything));
static_assert(in_order(sum(softmax(contrastive() * input<batch, 3>{}, 0_c)), holding::nothing));

}  // namespace

TEST_CASE("what is held costs memory and saves work") {
  const auto plan_with = [](holding hold) {
    return scheduled(deep_loss(), hold, 4096, [](const builder& b, const schedule& s) {
      const std::vector<index_t> chunk(static_cast<std::size_t>(s.loops), 64);
      const lifetimes life(b, s, std::vector<char>(b.nodes.size(), 0), 4096, chunk);
      return std::pair(peak_of(life.ranges), schedule_work(b, s, life, 4096).seconds(chunk, {}));
    });
  };
  const auto nothing = plan_with(holding::nothing), everything = plan_with(holding::everything);
  CHECK(nothing.first < everything.first);
  CHECK(nothing.second > everything.second);
}
