// SPDX-License-Identifier: MIT
// Recomputation inside a chunk: a value that is not read for a while is dropped, and computed
// again right before the next read.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/planner.hpp>

namespace koila::inline v0::detail {

/// The readers of each value in the body of one loop, by position.
struct body_uses {
  std::vector<int> owner;  // position -> position whose buffer it uses; -1: buffer of a leaf, a held or a whole value
  std::vector<std::vector<int>> reads;  // position -> positions that read its value directly, not through a view
  std::vector<std::vector<int>> views;  // position -> views of its buffer

  body_uses(const builder& b, const std::vector<int>& body)
      : owner(body.size(), -1), reads(body.size()), views(body.size()), latest_(b.nodes.size(), -1) {
    for (std::size_t p = 0; p < body.size(); ++p) {
      const graph_node& x = b.node(body[p]);
      owner[p] = static_cast<int>(p);
      if (x.is_view()) {
        const int from = latest(x.operands[0]);
        owner[p] = from >= 0 ? owner[static_cast<std::size_t>(from)] : -1;
        if (owner[p] >= 0) views[static_cast<std::size_t>(owner[p])].push_back(static_cast<int>(p));
      } else {
        for (int k = 0; k < x.operand_count; ++k)
          if (const int at = x.reads(k) ? latest(x.operands[static_cast<std::size_t>(k)]) : -1; at >= 0)
            reads[static_cast<std::size_t>(at)].push_back(static_cast<int>(p));
      }
      latest_[static_cast<std::size_t>(body[p])] = static_cast<int>(p);
    }
  }
  /// Returns the last position that reads the buffer of position `p`, directly or through a view,
  /// or -1.
  auto last(int p) const -> int {
    int out = reads_end(p);
    for (const int v : views[static_cast<std::size_t>(p)]) out = std::max(out, reads_end(v));
    return out;
  }
  /// Calls f with every position that reads the buffer of position `p`, directly or through a
  /// view.
  template <class F>
  void each_read(int p, F f) const {
    for (const int r : reads[static_cast<std::size_t>(p)]) f(r);
    for (const int v : views[static_cast<std::size_t>(p)])
      for (const int r : reads[static_cast<std::size_t>(v)]) f(r);
  }

 private:
  std::vector<int> latest_;
  auto latest(int node) const -> int { return latest_[static_cast<std::size_t>(node)]; }
  auto reads_end(int p) const -> int {
    const auto& r = reads[static_cast<std::size_t>(p)];
    return r.empty() ? -1 : r.back();
  }
};

/// A possible drop of a value: the nodes that are computed again, the place where these nodes are
/// inserted, and the cost per byte saved.
struct drop {
  double seconds_per_byte = 0;
  int before = 0;  // the nodes are inserted in front of this position
  std::vector<int> again;  // nodes to compute again, operands first
};

/// Returns the drops that save memory at position `peak`, the cheapest per byte first. A dropped
/// value is computed before the kernel at `peak`, is read after this kernel, and is not read by
/// this kernel.
inline auto drops_at(const builder& b, const schedule::loop& loop, const lifetimes& l, int loop_number, int peak,
                     const cost_model& model) -> std::vector<drop> {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  const auto& buffers = l.loop[idx(loop_number)];
  const fusion_groups& runs = l.loop_runs[idx(loop_number)];
  const int first = runs.first[idx(peak)],
            last = runs.last[idx(peak)];  // the values of one kernel are alive together
  const body_uses uses(b, loop.body);
  std::vector<std::pair<int, int>> unread;  // (start of the next kernel that reads the value, position of the value)
  for (int q = 0; q < first; ++q) {
    const int own = buffers[idx(q)].own;
    if (own < 0 || l.ranges[idx(own)].end <= l.loop_begin[idx(loop_number)] + 1 + last) continue;
    int next = std::numeric_limits<int>::max();
    bool read_there = false;
    uses.each_read(q, [&](int r) {
      read_there = read_there || (first <= r && r <= last);
      if (r > last) next = std::min(next, runs.first[idx(r)]);
    });
    if (!read_there && next != std::numeric_limits<int>::max()) unread.emplace_back(next, q);
  }
  std::sort(unread.begin(), unread.end());
  std::vector<int> latest(b.nodes.size(), -1);  // node -> its last position before `next`
  std::vector<drop> out;
  int p = 0;
  for (const auto& [next, q] : unread) {
    const int own = buffers[idx(q)].own;
    for (; p < next; ++p) latest[idx(loop.body[idx(p)])] = p;
    // Collect the nodes to compute again: the value, its views that are read later, and all
    // operands of these nodes whose last read is before `next`.
    drop d;
    d.before = next;
    bool possible = true;
    std::vector<int> stack{loop.body[idx(q)]};
    for (const int v : uses.views[idx(q)])
      if (v < next && !uses.reads[idx(v)].empty() && uses.reads[idx(v)].back() > last)
        stack.push_back(loop.body[idx(v)]);
    double again = 0;
    while (!stack.empty() && possible) {
      const int i = stack.back();
      stack.pop_back();
      if (std::find(d.again.begin(), d.again.end(), i) != d.again.end()) continue;
      d.again.push_back(i);
      const graph_node& x = b.node(i);
      again += model.seconds(i);
      for (int k = 0; k < x.operand_count; ++k) {
        const int j = x.operands[idx(k)], at = latest[idx(j)];
        if (!x.reads(k) || !b.node(j).batch_relation.sampled() || at < 0) continue;
        const int o = uses.owner[idx(at)];
        if (o < 0 || (o != q && uses.last(o) >= next)) continue;
        possible = possible && buffers[idx(o)].rows < 0;  // values in buffers of the whole batch are not recomputed
        stack.push_back(j);
      }
    }
    if (!possible) continue;
    std::sort(d.again.begin(), d.again.end());
    d.seconds_per_byte = again / static_cast<double>(std::max<index_t>(1, l.ranges[idx(own)].bytes));
    out.push_back(std::move(d));
  }
  std::sort(out.begin(), out.end(), [](const drop& x, const drop& y) {
    return x.seconds_per_byte != y.seconds_per_byte ? x.seconds_per_byte < y.seconds_per_byte : x.before > y.before;
  });
  return out;
}

auto recompute_candidates(const builder& b, schedule s, const std::vector<char>& external, index_t batch, index_t chunk,
                          const cost_model& model, index_t visits) -> std::vector<schedule> {
  constexpr std::size_t most_candidates = 24, most_tries = 6;
  // If a node occurs in the body more often than this, it is computed again only if the peak gets
  // smaller. Without this condition, the search could drop two values alternately for ever.
  constexpr std::ptrdiff_t often = 3;
  const std::vector<index_t> chunks(static_cast<std::size_t>(s.loops), chunk);
  const auto steps_of = [](const lifetimes& l) { return static_cast<index_t>(l.step_node.size()); };

  lifetimes now(b, s, external, batch, chunks, false);
  index_t peak = peak_of(now.ranges);
  const index_t first = peak;
  index_t noted = peak;
  std::vector<schedule> candidates;
  while (visits > 0 && candidates.size() < most_candidates) {
    const std::vector<index_t> alive = alive_at(now.ranges);
    const auto step = static_cast<int>(std::max_element(alive.begin(), alive.end()) - alive.begin());
    int loop = -1;
    for (int l = 0; l < s.loops; ++l)
      if (const int p = step - now.loop_begin[static_cast<std::size_t>(l)] - 1;
          p >= 0 && p < static_cast<int>(s.loop_of[static_cast<std::size_t>(l)].body.size()))
        loop = l;
    if (loop < 0) break;
    auto& body = s.loop_of[static_cast<std::size_t>(loop)].body;
    const int at = step - now.loop_begin[static_cast<std::size_t>(loop)] - 1;
    const auto drops = drops_at(b, s.loop_of[static_cast<std::size_t>(loop)], now, loop, at, model);
    visits -= 2 * steps_of(now);  // drops_at visits all nodes, and so does a try
    bool dropped = false;
    for (std::size_t k = 0; k < drops.size() && k < most_tries && !dropped; ++k) {
      const std::vector<int> before = body;
      body.insert(body.begin() + drops[k].before, drops[k].again.begin(), drops[k].again.end());
      lifetimes then(b, s, external, batch, chunks, false);
      visits -= steps_of(then);
      // It is not enough that the peak does not grow. The bytes alive at this step must get
      // smaller, too. The number of the step is unchanged, because the nodes are inserted after
      // this step.
      const std::vector<index_t> alive_then = alive_at(then.ranges);
      const index_t peak_then = *std::max_element(alive_then.begin(), alive_then.end());
      const bool in_turns = std::any_of(drops[k].again.begin(), drops[k].again.end(),
                                        [&](int i) { return std::count(before.begin(), before.end(), i) > often; });
      if (peak_then > peak || (peak_then == peak && in_turns) ||
          alive_then[static_cast<std::size_t>(step)] >= alive[static_cast<std::size_t>(step)]) {
        body = before;
        continue;
      }
      now = std::move(then);
      peak = peak_then;
      dropped = true;
    }
    if (!dropped) break;
    if (noted - peak >= std::max<index_t>(first / 32, 1)) {
      candidates.push_back(s);
      noted = peak;
    }
  }
  if (peak < noted) candidates.push_back(s);
  return candidates;
}

}  // namespace koila::inline v0::detail
