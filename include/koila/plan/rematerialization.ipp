// SPDX-License-Identifier: MIT
// Rematerialisation: candidate sets of values to hold (to keep in memory across barriers instead
// of computing them again), chosen by the work that each value saves per byte.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/planner.hpp>

#include <cmath>
#include <limits>

namespace koila::inline v0::detail {

/// Which nodes each loop of a schedule computes or reads.
struct loop_nodes {
  std::vector<std::vector<char>> there;   // [loop][node]: 1 if computed there or read from a held or gathered buffer
  std::vector<std::vector<int>> readers;  // [loop][node]: number of the loop's nodes that read it

  loop_nodes(const builder& b, const schedule& s) {
    for (const auto& loop : s.loop_of) {
      there.emplace_back(b.nodes.size(), 0);
      readers.emplace_back(b.nodes.size(), 0);
      for (const auto& [node, from] : loop.source) there.back()[static_cast<std::size_t>(node)] = 1;
      for (const int i : loop.body) {
        there.back()[static_cast<std::size_t>(i)] = 1;
        each_read(b, i, [&](int j) { ++readers.back()[static_cast<std::size_t>(j)]; });
      }
    }
  }
  template <class F>
  static void each_read(const builder& b, int i, F f) {
    const graph_node& x = b.node(i);
    for (int k = 0; k < x.operand_count; ++k)
      if (const int j = x.operands[static_cast<std::size_t>(k)];
          x.reads(k) && b.node(j).batch_relation.sampled() && b.node(j).kind != node_kind::leaf)
        f(j);
  }
};

/// Returns the seconds to compute `v` and the operands for which `too` returns true. The operands
/// of such an operand are included in the same way.
template <class F>
auto seconds_with(const builder& b, const cost_model& model, int v, F too) -> double {
  std::vector<int> stack{v}, seen{v};
  double total = 0;
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    total += model.seconds(i);
    loop_nodes::each_read(b, i, [&](int j) {
      if (!too(j) || std::find(seen.begin(), seen.end(), j) != seen.end()) return;
      seen.push_back(j);
      stack.push_back(j);
    });
  }
  return total;
}

/// A value that may be held (kept in memory) from loop `from` to loop `to`, and the seconds of
/// work that holding the value saves per byte.
struct gap {
  double seconds_per_byte;
  int node, from, to;
  index_t bytes;
};

auto rematerialization_candidates(const builder& b, const schedule& nothing, const schedule& everything,
                                  const std::vector<char>& external, index_t batch, const cost_model& model)
    -> std::vector<saved_set> {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  // To evaluate a candidate, koila visits all nodes in all loops. So large graphs get fewer
  // candidates.
  constexpr index_t most_visits = 300'000;
  const auto nodes_in_loops = [](const schedule& s) {
    index_t n = 1;
    for (const auto& loop : s.loop_of) n += static_cast<index_t>(loop.body.size() + loop.held_in.size());
    return n;
  };
  // Each candidate is evaluated for every chunk size, and larger batches have more sizes.
  const auto sizes = static_cast<index_t>(std::bit_width(static_cast<std::uint64_t>(batch)));
  const index_t visits = (nodes_in_loops(nothing) + nodes_in_loops(everything)) / 2 * (6 + sizes) / 16;
  const bool large = visits > 2500;  // if true, two consecutive candidates differ by many gaps, not by one
  const index_t candidates_each_way = std::clamp<index_t>((large ? most_visits / 8 : most_visits) / visits, 3, 24);
  const saved_set all = nothing.everything();
  const int loops = nothing.loops;
  std::vector<int> held;
  std::vector<saved_set> candidates;
  {
    const std::vector<int> first = nothing.first_loops();
    std::vector<char> seen(b.nodes.size(), 0);
    for (const auto& loop : everything.loop_of)
      for (const int i : loop.held_in)
        if (std::exchange(seen[idx(i)], 1) == 0) held.push_back(i);
    if (held.size() <= 8 && (visits << held.size()) <= most_visits)  // few enough to try every subset
      for (unsigned subset = 1; subset + 1 < 1U << held.size(); ++subset) {
        candidates.emplace_back(b.nodes.size(), loops);
        for (std::size_t k = 0; k < held.size(); ++k)
          if ((subset >> k & 1U) != 0) candidates.back().hold(held[k], first[idx(held[k])], loops - 1);
      }
  }
  /// If `most` is true, holds the gaps that save the most work per byte. If `most` is false, drops
  /// the gaps that save the least work per byte. Holds or drops at least one gap. Further gaps
  /// follow as long as all gaps together have at most `bytes` bytes. Returns false if there are no
  /// gaps.
  const auto widen = [&](saved_set& hold, std::vector<gap>& gaps, bool most, index_t bytes) {
    std::sort(gaps.begin(), gaps.end(), [&](const gap& x, const gap& y) {
      if (x.seconds_per_byte != y.seconds_per_byte) return (x.seconds_per_byte > y.seconds_per_byte) == most;
      return x.node != y.node ? x.node < y.node : x.from < y.from;
    });
    index_t moved = 0;
    for (const gap& g : gaps) {
      if (moved > 0 && moved + g.bytes > bytes) break;
      if (most) hold.hold(g.node, g.from, g.to);
      else hold.drop(g.node, g.from, g.to);
      moved += g.bytes;
    }
    return moved > 0;
  };
  const auto note = [&](const saved_set& hold) {
    if (std::find(candidates.begin(), candidates.end(), hold) == candidates.end()) candidates.push_back(hold);
  };

  // Search downwards. Start with everything held. Repeatedly drop the values that are held at the
  // memory peak and take the least work per byte to compute again.
  const auto down = [&](index_t chunk) {
    const std::vector<index_t> chunks(idx(loops), chunk);
    saved_set hold = all;
    index_t noted = -1, first = 0;
    for (index_t moves = 0; moves < 8 * candidates_each_way; ++moves) {
      const schedule s(nothing, b, hold);
      const lifetimes l(b, s, external, batch, chunks, false);
      const loop_nodes nodes(b, s);
      const std::vector<index_t> alive = alive_at(l.ranges);
      const auto peak = static_cast<int>(std::max_element(alive.begin(), alive.end()) - alive.begin());
      const index_t bytes = alive[idx(peak)];
      if (noted < 0) noted = first = bytes;
      else if (bytes <= noted - std::min(first / candidates_each_way, noted / 10)) note(hold), noted = bytes;
      int here = 0;  // the loop of the peak, or the next loop if the peak is outside loops
      while (here + 1 < loops &&
             l.loop_begin[idx(here)] + 1 + static_cast<int>(s.loop_of[idx(here)].body.size()) < peak)
        ++here;
      std::vector<gap> gaps;
      for (std::size_t k = 0; k < l.ranges.size(); ++k) {
        const int v = l.what[k].node;
        if (l.what[k].role != role::held || l.ranges[k].begin > peak || l.ranges[k].end < peak) continue;
        const auto has = [&](int loop) {
          return loop < loops && hold.has(v, loop) && s.loop_of[idx(loop)].reads_from(v) == v;
        };
        // Drop the value between the last earlier loop that computes or reads it and the next loop
        // that reads it. If the loop of the peak reads the value, also drop it between this loop
        // and the following reader.
        int from = here, to = here;
        while (from > 0 && has(from) && (from == here || nodes.readers[idx(from)][idx(v)] == 0)) --from;
        const bool reads = nodes.readers[idx(here)][idx(v)] > 0 || from == here;
        double again = 0;
        const auto count = [&](int loop) {
          again += seconds_with(b, model, v, [&](int j) { return nodes.there[idx(loop)][idx(j)] == 0; });
        };
        if (reads && from < here) count(here);
        for (int at = here + (reads ? 1 : 0); has(at); ++at) {
          to = at;
          if (nodes.readers[idx(at)][idx(v)] > 0) break;
        }
        if (to > here || !reads) count(to);
        if (to > from) gaps.push_back({again / static_cast<double>(l.ranges[k].bytes), v, from, to, l.ranges[k].bytes});
      }
      if (!widen(hold, gaps, false, large ? first / candidates_each_way : 0)) break;
    }
    note(hold);
  };
  down(1);
  if (!large) {
    down(std::max<index_t>(1, batch / 8));
    down(batch);
  }
  // Search upwards. Start with nothing held. Repeatedly hold values that two loops compute; begin
  // with the values that save the most work per byte.
  index_t total = 0;
  for (const int v : held) total += b.node(v).dims.bytes();
  saved_set hold(b.nodes.size(), loops);
  for (index_t k = 0; k < (large ? 1 : 2) * candidates_each_way; ++k) {
    const schedule s(nothing, b, hold);
    const loop_nodes nodes(b, s);
    std::vector<gap> gaps;
    for (const int v : held) {
      int from = -1;
      for (int at = 0; at < loops; ++at) {
        if (nodes.there[idx(at)][idx(v)] == 0) continue;
        if (from >= 0 && !hold.has(v, at)) {
          const double saved = seconds_with(b, model, v, [&](int j) { return nodes.readers[idx(at)][idx(j)] == 1; });
          gaps.push_back({saved / static_cast<double>(b.node(v).dims.bytes()), v, from, at, b.node(v).dims.bytes()});
        }
        from = at;
      }
    }
    if (!widen(hold, gaps, true, total / candidates_each_way)) break;
    note(hold);
  }
  return candidates;
}

}  // namespace koila::inline v0::detail

namespace koila::inline v0::detail {

void planner::add_candidates() {
  const std::size_t asked_before = schedules_.size();
  const double slower = std::nextafter(candidates_[fastest(-1)].seconds, std::numeric_limits<double>::infinity());
  if (schedules_.size() > 1 && batch_ > 1)
    for (const saved_set& hold :
         detail::rematerialization_candidates(graph_, schedules_[0], schedules_[1], external_, batch_, model_))
      consider(schedule(schedules_[0], graph_, hold));
  // For each chunk size, recomputation inside a chunk starts from the candidate that needs the
  // least memory. So a plan that is found for a size is also found if the caller sets that size.
  // The number of visits for each size does not depend on how many sizes are considered.
  const index_t visits =
      600'000 / std::max<index_t>(6, static_cast<index_t>(std::bit_width(static_cast<std::uint64_t>(batch_))) + 1);
  std::vector<schedule> added;
  for (const index_t c : sizes_) {
    const candidate* least = nullptr;
    for (const candidate& x : candidates_)
      if (x.chunk == c && x.has_one_size() && (least == nullptr || x.alive < least->alive)) least = &x;
    if (least == nullptr) break;  // there are no loops, so nothing is split into chunks
    for (schedule& s :
         detail::recompute_candidates(graph_, schedules_[least->schedule_index], external_, batch_, c, model_, visits))
      added.push_back(std::move(s));
  }
  for (schedule& s : added) consider(std::move(s));
  // The model may predict that computing a value again inside a fused kernel costs nothing. The
  // candidates added here must still count as slower than the fastest candidate so far. Otherwise
  // the plan for a large budget would depend on whether a smaller budget was asked for before.
  for (candidate& c : candidates_)
    if (c.schedule_index >= asked_before) c.seconds = std::max(c.seconds, slower);
  keep_the_best();
}

void planner::keep_the_best() {
  // Drop each candidate for which another candidate is at least as fast and as small. Place the
  // remaining candidates, so that a new budget requires only a search. For a large graph, place
  // only two kinds of candidates: candidates that need clearly less memory than the next faster
  // candidate, and candidates that may need the least memory of all.
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const candidate& x, const candidate& y) { return x.before(y); });
  const auto nodes = static_cast<index_t>(graph_.nodes.size());
  const bool large = nodes >= 200;
  const index_t parts = std::clamp<index_t>(12'000 / nodes, 8, 50);  // fewer for large graphs: placing is slow
  std::vector<candidate> worth;
  std::vector<candidate*> rest;
  const auto try_it = [&](candidate& c) {
    const auto too_large = [&] { return !worth.empty() && c.peak >= worth.back().peak; };
    if (too_large()) return;
    place_in_block(c);
    if (!too_large()) worth.push_back(std::move(c));
  };
  index_t tried = std::numeric_limits<index_t>::max();  // the bytes alive of the last candidate that was tried
  for (candidate& c : candidates_) {
    if (c.best_of_all) {
      if (worth.empty()) tried = c.alive;
      worth.insert(worth.begin(), std::move(c));
    } else if (large && c.alive > tried - tried / parts) {
      if (c.has_one_size()) rest.push_back(&c);
    } else {
      tried = c.alive;
      try_it(c);
    }
  }
  std::sort(rest.begin(), rest.end(), [](const candidate* x, const candidate* y) { return x->alive < y->alive; });
  const index_t tries = std::clamp<index_t>(7'000 / nodes, 3, 16);
  const index_t tries_of_all = std::max<index_t>(16, 30'000 / nodes);
  // Every chunk size gets the same number of tries, so that a plan that is found for a size is also
  // found if the caller sets that size.
  for (const index_t size : sizes_) {
    index_t left = std::clamp<index_t>(tries_of_all / static_cast<index_t>(sizes_.size()), 1, tries);
    for (candidate* c : rest)
      if (c->chunk == size && left-- > 0) try_it(*c);
  }
  candidates_ = std::move(worth);
  std::vector<schedule> used{std::move(schedules_[0])};
  std::vector<std::size_t> place_of(schedules_.size(), 0);
  for (candidate& c : candidates_) {
    if (c.schedule_index != 0 && place_of[c.schedule_index] == 0) {
      place_of[c.schedule_index] = used.size();
      used.push_back(std::move(schedules_[c.schedule_index]));
    }
    c.schedule_index = place_of[c.schedule_index];
  }
  schedules_ = std::move(used);
}

}  // namespace koila::inline v0::detail
