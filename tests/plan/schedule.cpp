// Which loop computes what: levels, placement, what is held.
#include "graph/support.hpp"

using namespace koila;
using namespace test;

namespace {

/// The chain of K normalisations by the batch's mean: each needs one loop more.
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
static_assert(loops(sum(coupled())) == 4);  // three barriers: the last partial reads the third mean

struct work_of {
  int loops, calls, held;
};
constexpr auto work_with(const auto& e, holding hold) -> work_of {
  lowered_expression l = lowered(e, 8, true);
  std::vector<int> outputs{l.graph.whole(l.value)};
  for (const int g : l.gradients)
    if (g >= 0) outputs.push_back(l.graph.whole(g));
  const schedule s(l.graph, outputs, hold);
  work_of w{s.loops, 0, 0};
  for (const auto& loop : s.loop_of) {
    w.held += static_cast<int>(loop.held_in.size());
    for (const int i : loop.body) w.calls += l.graph.at(i).is_view() ? 0 : 1;
  }
  return w;
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

/// Every operand of a loop's body is there: computed before it in the body, held, an input, or finished before the loop.
constexpr auto in_order(const auto& e, holding hold) -> bool {
  lowered_expression l = lowered(e, 8, true);
  std::vector<int> outputs{l.graph.whole(l.value)};
  for (const int g : l.gradients)
    if (g >= 0) outputs.push_back(l.graph.whole(g));
  const builder& b = l.graph;
  const schedule s(b, outputs, hold);
  std::vector<char> done;  // whole values and finished partials
  for (const gnode& n : b.nodes) done.push_back(n.is == kind::leaf || n.is == kind::number ? 1 : 0);
  std::vector<char> once = done;
  for (int k = 0; k <= s.loops; ++k) {
    for (const int i : s.section[static_cast<std::size_t>(k)]) {
      for (int j = 0; j < b.at(i).n_in; ++j)
        if (b.at(i).reads(j) && done[static_cast<std::size_t>(b.at(i).in[static_cast<std::size_t>(j)])] == 0) return false;
      done[static_cast<std::size_t>(i)] = 1;
    }
    if (k == s.loops) break;
    const auto& loop = s.loop_of[static_cast<std::size_t>(k)];
    std::vector<char> here = done;
    for (const auto& [node, from] : loop.source) {
      if (from != node && done[static_cast<std::size_t>(from)] == 0) return false;
      here[static_cast<std::size_t>(node)] = 1;
    }
    for (const int i : loop.body) {
      for (int j = 0; j < b.at(i).n_in; ++j)
        if (b.at(i).reads(j) && here[static_cast<std::size_t>(b.at(i).in[static_cast<std::size_t>(j)])] == 0) return false;
      if (b.at(i).r.sampled()) {
        here[static_cast<std::size_t>(i)] = 1;
        continue;
      }
      if (once[static_cast<std::size_t>(i)]++ != 0 || s.placed[static_cast<std::size_t>(i)] != k)
        return false;  // a partial is finished once
    }
    for (const int i : loop.body)
      if (!b.at(i).r.sampled()) done[static_cast<std::size_t>(i)] = 1;
  }
  for (const int o : s.outputs)
    if (done[static_cast<std::size_t>(o)] == 0) return false;
  return true;
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
    lowered_expression l = lowered(deep_loss(), 4096, true);
    std::vector<int> outputs{l.graph.whole(l.value)};
    for (const int g : l.gradients) outputs.push_back(l.graph.whole(g));
    const schedule s(l.graph, outputs, hold);
    const std::vector<index_t> chunk(static_cast<std::size_t>(s.loops), 64);
    const lifetimes life(l.graph, s, std::vector<char>(l.graph.nodes.size(), 0), 4096, chunk);
    return std::pair(peak_of(life.ranges), cost_model(l.graph, s, 4096, machine{}).seconds(64));
  };
  const auto nothing = plan_with(holding::nothing), everything = plan_with(holding::everything);
  CHECK(nothing.first < everything.first);
  CHECK(nothing.second > everything.second);
}
