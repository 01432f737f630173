// SPDX-License-Identifier: MIT
// Loops with no computed value in common may have different chunk sizes.
#include "plan/support.hpp"

#include <koila/plan/classes.hpp>

#include <numeric>
#include <random>
#include <set>

using namespace koila;
using namespace ::test;

namespace {

/// The graph of the loss of K layers and its gradients. The loss and every gradient are outputs.
template <int K>
struct layers {
  lowered_expression l = lowered(centred<K>(), 64, true);
  std::vector<int> outputs{l.graph.whole(l.value)};
  layers() {
    for (const int g : l.gradients)
      if (g >= 0) outputs.push_back(l.graph.whole(g));
  }
};

/// Returns true if two loops compute a common value.
auto share(const builder& b, const schedule& s, std::size_t x, std::size_t y) -> bool {
  const auto& other = s.loop_of[y].body;
  return std::any_of(s.loop_of[x].body.begin(), s.loop_of[x].body.end(), [&](int i) {
    return b.node(i).batch_relation.sampled() && !b.node(i).is_view() &&
           std::find(other.begin(), other.end(), i) != other.end();
  });
}

}  // namespace

TEST_CASE("loops that compute the same value are one class") {
  const layers<4> g;
  const builder& b = g.l.graph;
  const schedule nothing = needed(b, g.outputs), everything = holding_everything(b, g.outputs);
  REQUIRE(nothing.loops >= 5);
  std::set<std::size_t> sizes;
  for (const saved_set& hold : koila::detail::rematerialization_candidates(
           b, nothing, everything, std::vector<char>(b.nodes.size(), 0), 64, cost_model(b, {}))) {
    const schedule s(nothing, b, hold);
    const std::vector<std::size_t> first = koila::detail::chunk_classes(b, s);
    for (std::size_t x = 0; x < first.size(); ++x) {
      CHECK(first[x] <= x);
      CHECK(first[first[x]] == first[x]);
      for (std::size_t y = 0; y < x; ++y)
        if (share(b, s, x, y)) CHECK(first[x] == first[y]);
    }
    sizes.insert(std::set<std::size_t>(first.begin(), first.end()).size());
  }
  CHECK(sizes.size() >= 3);
  CHECK(koila::detail::chunk_classes(b, nothing) ==
        std::vector<std::size_t>(static_cast<std::size_t>(nothing.loops), 0));
  std::vector<std::size_t> alone(static_cast<std::size_t>(everything.loops));
  std::iota(alone.begin(), alone.end(), std::size_t{0});
  CHECK(koila::detail::chunk_classes(b, everything) == alone);
}

TEST_CASE("what is alive in a loop does not depend on the chunks of others") {
  const layers<3> g;
  const builder& b = g.l.graph;
  std::vector<char> external(b.nodes.size(), 0);
  external[static_cast<std::size_t>(needed(b, g.outputs).nodes[static_cast<std::size_t>(g.outputs[0])].owner)] = 1;
  const std::vector<index_t> sizes{64, 1, 2, 7, 16, 33};
  std::mt19937 random(1);
  for (const schedule& s : {needed(b, g.outputs), holding_everything(b, g.outputs)}) {
    const auto loops = static_cast<std::size_t>(s.loops);
    koila::detail::schedule_figures f(s.loops, sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const std::vector<index_t> chunks(loops, sizes[k]);
      const lifetimes l(b, s, external, 64, chunks);
      f.note_alive(s, l, k);
      CHECK(f.with(f.uniform(k)).alive == peak_of(l.ranges));
    }
    for (int run = 0; run < 50; ++run) {
      std::vector<std::size_t> size(loops);
      std::vector<index_t> chunks(loops);
      for (std::size_t l = 0; l < loops; ++l) size[l] = random() % sizes.size(), chunks[l] = sizes[size[l]];
      CHECK(f.with(size).alive == peak_of(lifetimes(b, s, external, 64, chunks).ranges));
    }
  }
}

TEST_CASE("of each class the fastest size in the memory there is") {
  koila::detail::schedule_figures f(3, 2);
  f.figures(0, 0) = {5, 10, {0, 0}}, f.figures(0, 1) = {1, 20, {0, 0}};
  f.figures(1, 0) = {5, 10, {0, 0}}, f.figures(1, 1) = {1, 20, {8, 0}};
  f.figures(2, 0) = {5, 10, {0, 0}}, f.figures(2, 1) = {6, 20, {0, 0}};
  using sizes = std::vector<std::size_t>;
  const auto fastest = [&](const sizes& first, const koila::detail::loop_figures& most) {
    return koila::detail::fastest_sizes(koila::detail::figures_of_classes(f, first), first, 0, most);
  };
  CHECK(fastest({0, 1, 2}, {0, 20, {8, 0}}) == sizes{1, 1, 0});
  CHECK(fastest({0, 1, 2}, {0, 20, {7, 0}}) == sizes{1, 0, 0});
  CHECK(fastest({0, 1, 2}, {0, 19, {8, 0}}) == sizes{0, 0, 0});
  CHECK(fastest({0, 0, 2}, {0, 20, {7, 0}}) == sizes{0, 0, 0});
  CHECK(fastest({0, 1, 0}, {0, 20, {8, 0}}) == sizes{1, 1, 1});
  CHECK(f.with({1, 0, 0}).seconds == 11);
  CHECK(f.with({1, 1, 0}).kernels.bytes() == 8);
}
