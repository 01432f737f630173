// SPDX-License-Identifier: MIT
#pragma once
// The schedule: which loop over the chunks of the batch computes which node. The schedule depends
// on the batch relations of the nodes, not on budgets or chunk sizes.
#include <koila/plan/shared_accumulators.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace koila::inline v0::detail {

/// Returns true if the rows of a chunk are contiguous in a buffer of the whole batch, so that
/// kernels can write them directly into that buffer.
constexpr auto has_contiguous_rows(const graph_node& n) -> bool {
  return n.batch_relation.outer == 1 && n.dims.count(0, n.batch_relation.axis) == 1;
}

/// Returns true if `node` is the pull-back (vector-Jacobian product) of `value` and the kernel of
/// `node` can also compute `value` (see op_info::pull_back). Returns false for partial values,
/// sums, random ops and element-wise ops. Also returns false for a value larger than 1/8 of the
/// pull-back, because the value would stay alive longer.
constexpr auto pulls_back(const builder& b, int node, int value) -> bool {
  const graph_node &x = b.node(node), &y = b.node(value);
  if (y.op == nullptr || y.op->pull_back == nullptr || x.op != y.op->pull_back) return false;
  if (x.operands[0] == value || x.dims.bytes() < 8 * y.dims.bytes()) return false;
  for (const graph_node* n : {&x, &y})
    if (n->kind != node_kind::compute || n->batch_relation.kind == batch_relation::partial ||
        n->op->operators.draw != nullptr || n->op->elements != nullptr || n->op->sums != nullptr)
      return false;
  for (int k = 0; k < y.operand_count; ++k)
    if (x.operands[static_cast<std::size_t>(k) + 1] != y.operands[static_cast<std::size_t>(k)] ||
        (y.reads(k) && !x.reads(k + 1)))
      return false;
  return y.op->same_attributes == nullptr || y.op->same_attributes(y.attributes.get(), x.attributes.get());
}

/// A set of nodes.
class node_set {
 public:
  constexpr explicit node_set(std::size_t nodes) : words_(detail::filled(nodes / 64 + 1, std::uint64_t{0})) {}
  constexpr auto has(int i) const -> bool { return (words_[word(i)] & bit(i)) != 0; }
  constexpr void insert(int i) { words_[word(i)] |= bit(i); }
  constexpr void erase(int i) { words_[word(i)] &= ~bit(i); }
  /// Removes the largest element and calls f with it, until the set is empty. f(i) may insert
  /// smaller elements.
  template <class F>
  constexpr void take_largest(F f) {
    for (std::size_t w = words_.size(); w-- > 0;) {
      while (words_[w] != 0) {
        const int i = static_cast<int>(w) * 64 + 63 - std::countl_zero(words_[w]);
        erase(i);
        f(i);
      }
    }
  }
  friend constexpr auto operator==(const node_set&, const node_set&) -> bool = default;

 private:
  std::vector<std::uint64_t> words_;

  static constexpr auto word(int i) -> std::size_t { return static_cast<std::size_t>(i) / 64; }
  static constexpr auto bit(int i) -> std::uint64_t { return std::uint64_t{1} << (static_cast<unsigned>(i) % 64); }
};

/// The values that are held, which means kept in memory across barriers instead of computed again,
/// and the loops for which each value is held.
class saved_set {
 public:
  constexpr saved_set(std::size_t nodes, int loops)
      : loops_(loops), held_(nodes * static_cast<std::size_t>(std::max(loops, 1))) {}
  constexpr auto has(int node, int loop) const -> bool { return held_.has(index(node, loop)); }
  /// Holds a value for the loops after `from`, up to `last`. Loop `from` must compute or hold the
  /// value. `drop` takes the same arguments and removes the value from these loops.
  constexpr void hold(int node, int from, int last) {
    for (int l = from + 1; l <= last; ++l) held_.insert(index(node, l));
  }
  constexpr void drop(int node, int from, int last) {
    for (int l = from + 1; l <= last; ++l) held_.erase(index(node, l));
  }
  friend constexpr auto operator==(const saved_set&, const saved_set&) -> bool = default;

 private:
  int loops_;
  node_set held_;

  constexpr auto index(int node, int loop) const -> int { return node * loops_ + loop; }
};

/// The order of computation of a graph: section 0, loop 0, section 1, loop 1, ..., section L,
/// where L is the number of loops. Barriers separate the loops. A section computes whole values.
/// A loop computes per-sample values and the parts of partial values, chunk by chunk.
struct schedule {
  /// One loop over the batch.
  struct loop {
    /// Nodes computed for each chunk, operands first. If a node occurs twice, it is computed
    /// twice, and its later readers read the later value.
    std::vector<int> body;
    std::vector<int> held_in;  ///< per-sample values read from buffers of the whole batch that earlier loops filled
    std::vector<int> held_out;  ///< per-sample values that later loops read from buffers of the whole batch
    /// The per-sample values that the loop reads instead of computing them. Each value is paired
    /// with the node whose buffer is read: a gather, or the value itself if the value is held.
    /// Sorted by descending node.
    std::vector<std::pair<int, int>> source;

    constexpr auto reads_from(int i) const -> int {
      const auto at =
          std::lower_bound(source.begin(), source.end(), i, [](const auto& x, int node) { return x.first > node; });
      return at != source.end() && at->first == i ? at->second : -1;
    }
  };

  int loops = 0;
  std::vector<loop> loop_of;
  std::vector<std::vector<int>> section;  ///< whole values computed before each loop, and after the last loop
  scheduled_nodes nodes;  ///< one for each node of the graph
  std::vector<int> outputs;  ///< whole values and finished partial values

  /// Makes a schedule in which no values are held.
  constexpr schedule(const builder& b, std::vector<int> outs);
  /// Makes a schedule with the loops of `base` in which the values of `hold` are held. `base` must
  /// hold nothing.
  constexpr schedule(const schedule& base, const builder& b, const saved_set& hold);
  /// Returns, for each value, the first loop that computes the value, or INT_MAX if no loop
  /// computes it. This schedule must hold nothing.
  constexpr auto first_loops() const -> std::vector<int> {
    std::vector<int> first;
    first.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) first.push_back(std::numeric_limits<int>::max());
    for (int l = loops - 1; l >= 0; --l)
      for (const int i : loop_of[static_cast<std::size_t>(l)].body) first[static_cast<std::size_t>(i)] = l;
    return first;
  }
  /// Returns the set that holds every value for all later loops, so that a value that several
  /// loops need is computed in one of these loops. This schedule must hold nothing.
  constexpr auto everything() const -> saved_set {
    saved_set everything_held(nodes.size(), loops);
    const std::vector<int> first = first_loops();
    for (std::size_t i = 0; i < first.size(); ++i)
      if (first[i] < loops) everything_held.hold(static_cast<int>(i), first[i], loops - 1);
    return everything_held;
  }

 private:
  const builder* graph_ = nullptr;

  static constexpr auto element(const std::vector<int>& v, int i) -> int { return v[static_cast<std::size_t>(i)]; }
  static constexpr auto element(std::vector<int>& v, int i) -> int& { return v[static_cast<std::size_t>(i)]; }
  constexpr auto node(int i) const -> const graph_node& { return graph_->node(i); }
  constexpr auto size() const -> int { return static_cast<int>(graph_->nodes.size()); }
  constexpr auto is_partial(int i) const -> bool { return node(i).batch_relation.kind == batch_relation::partial; }
  constexpr auto is_live(int i) const -> bool { return entry(i).is_live; }
  constexpr auto entry(int i) const -> const scheduled_node& { return nodes[static_cast<std::size_t>(i)]; }
  constexpr auto entry(int i) -> scheduled_node& { return nodes[static_cast<std::size_t>(i)]; }

  template <class F>
  constexpr void for_reads(int i, F f) const {
    const graph_node& n = node(i);
    for (int k = 0; k < n.operand_count; ++k)
      if (n.reads(k)) f(n.operands[static_cast<std::size_t>(k)]);
  }
  template <class T>
  constexpr auto filled(T v) const -> std::vector<T> {
    return detail::filled(graph_->nodes.size(), v);
  }

  constexpr void find_live();
  constexpr void find_owners();
  constexpr void find_levels();
  constexpr void place_partials();
  constexpr auto weight(int i, node_set& marked, bool mark, int limit = std::numeric_limits<int>::max()) const -> int;
  constexpr void fill_loops(const saved_set* hold);
  constexpr void fill_sections();
  constexpr void put_numbers_last(std::vector<int>& computed) const;
  constexpr void join_pull_backs(std::vector<int>& computed) const;
};

constexpr schedule::schedule(const builder& b, std::vector<int> outs) : outputs(std::move(outs)), graph_(&b) {
  nodes = filled(scheduled_node());
  find_live();
  find_levels();
  place_partials();
  shared_accumulators(b, nodes, outputs);
  find_owners();
  fill_loops(nullptr);
  fill_sections();
  graph_ = nullptr;  // the caller may move the graph afterwards
}

constexpr schedule::schedule(const schedule& base, const builder& b, const saved_set& hold)
    : loops(base.loops), nodes(base.nodes), outputs(base.outputs), graph_(&b) {
  fill_loops(&hold);
  fill_sections();
  graph_ = nullptr;
}

constexpr void schedule::find_live() {
  for (const int o : outputs) entry(o).is_live = true;
  for (int i = size() - 1; i >= 0; --i)
    if (is_live(i)) for_reads(i, [&](int j) { entry(j).is_live = true; });
}

constexpr void schedule::find_owners() {
  std::vector<int> partials = filled(0);  // number of partial values of each shared accumulator
  for (int i = 0; i < size(); ++i) {
    entry(i).owner = node(i).is_view()           ? entry(node(i).operands[0]).owner
                     : entry(i).accumulator >= 0 ? entry(i).accumulator
                                                 : i;
    if (entry(i).accumulator >= 0 && is_partial(i)) ++element(partials, entry(i).accumulator);
  }
  for (int i = 0; i < size(); ++i)
    if (entry(i).accumulator >= 0) entry(i).parts = element(partials, entry(i).accumulator);
}

/// Finds the earliest loop or section of each node. A reader of a partial value must come after
/// the loop that finishes the partial value.
constexpr void schedule::find_levels() {
  for (int i = 0; i < size(); ++i) {
    if (!is_live(i)) continue;
    int l = 0;
    for_reads(i, [&](int j) { l = std::max(l, entry(j).level + (is_partial(j) ? 1 : 0)); });
    if (is_partial(i)) l = std::max(l, entry(i).loop);
    entry(i).level = l;
    if (is_partial(i)) loops = std::max(loops, l + 1);
  }
}

/// Returns the work that the per-sample ancestors of partial `i` add to a loop. A node counts as
/// 1000 if it has an accumulating kernel, as matrix products do, and as 1 otherwise. Views, leaves
/// and the nodes in `marked`, which the loop already has, count as 0. Stops once the sum reaches
/// `limit`. If `mark` is true, adds the ancestors to `marked`.
constexpr auto schedule::weight(int i, node_set& marked, bool mark, int limit) const -> int {
  std::vector<int> todo{i}, seen;
  int total = 0;
  while (!todo.empty() && total < limit) {
    const int j = todo.back();
    todo.pop_back();
    for_reads(j, [&](int k) {
      if (!node(k).batch_relation.sampled() || marked.has(k)) return;
      marked.insert(k);
      seen.push_back(k);
      todo.push_back(k);
      const bool heavy = node(k).op != nullptr && node(k).op->operators.accumulate != nullptr;
      total += node(k).is_view() || node(k).kind == node_kind::leaf ? 0 : heavy ? 1000 : 1;
    });
  }
  if (!mark)
    for (const int k : seen) marked.erase(k);
  return total;
}

/// Assigns a loop to each partial value. If only one loop can finish the partial value, that loop
/// is assigned. Otherwise the partial value goes to the loop to which its operands add the least
/// work.
constexpr void schedule::place_partials() {
  std::vector<int> late = filled(loops);
  for (int i = size() - 1; i >= 0; --i) {
    if (!is_live(i)) continue;
    if (node(i).batch_relation.kind != batch_relation::whole) element(late, i) = std::min(element(late, i), loops - 1);
    for_reads(
        i, [&](int j) { element(late, j) = std::min(element(late, j), element(late, i) - (is_partial(j) ? 1 : 0)); });
  }
  std::vector<int> loose;
  for (int i = 0; i < size(); ++i) {
    if (!is_live(i) || !is_partial(i)) continue;
    if (entry(i).level == element(late, i)) entry(i).loop = entry(i).level;
    else loose.push_back(i);
  }
  if (loose.empty()) return;
  std::vector<node_set> marked;
  for (int l = 0; l < loops; ++l) marked.emplace_back(graph_->nodes.size());
  for (int i = 0; i < size(); ++i)
    if (entry(i).loop >= 0) (void)weight(i, marked[static_cast<std::size_t>(entry(i).loop)], true);
  find_levels();
  for (const int i : loose) {
    int best = entry(i).level, least = std::numeric_limits<int>::max();
    for (int l = entry(i).level; l <= element(late, i) && least > 0; ++l) {
      const int w = weight(i, marked[static_cast<std::size_t>(l)], false, least);
      if (w < least) best = l, least = w;
    }
    entry(i).loop = best;
    (void)weight(i, marked[static_cast<std::size_t>(best)], true);
    if (best != entry(i).level) find_levels();  // the readers of this partial value move to later levels
  }
}

/// Fills the loops from the last to the first. Each loop computes the values that its partial
/// values and the later loops need, or reads these values from held or gathered buffers.
constexpr void schedule::fill_loops(const saved_set* held) {
  for (int l = 0; l < loops; ++l) loop_of.push_back({});
  std::vector<int> gather_of = filled(-1), last_use = filled(-1);
  for (int i = 0; i < size(); ++i)
    if (is_live(i) && node(i).kind == node_kind::gather_rows) element(gather_of, node(i).operands[0]) = i;
  for (const int o : outputs) element(last_use, entry(o).owner) = loops;
  std::vector<std::vector<int>> here;
  for (int l = 0; l < loops; ++l) here.push_back({});
  for (int i = 0; i < size(); ++i)
    if (is_live(i) && is_partial(i)) here[static_cast<std::size_t>(entry(i).loop)].push_back(i);

  node_set asked(graph_->nodes.size());
  for (int l = loops - 1; l >= 0; --l) {
    loop& here_loop = loop_of[static_cast<std::size_t>(l)];
    if (l + 1 < loops) here_loop.held_out = loop_of[static_cast<std::size_t>(l) + 1].held_in;
    for (const int i : here[static_cast<std::size_t>(l)]) asked.insert(i);
    for (const int i : here_loop.held_out) asked.insert(i);
    asked.take_largest([&](int i) {
      if (node(i).batch_relation.sampled()) {
        if (node(i).kind == node_kind::leaf) return;
        const int g = element(gather_of, i);
        const bool can_be_read = !node(i).is_view() && has_contiguous_rows(node(i)),
                   hold = held != nullptr && held->has(i, l);
        if (can_be_read && g >= 0 && entry(g).loop < l && (element(last_use, g) >= l || hold)) {
          here_loop.source.push_back({i, g});
          element(last_use, g) = std::max(element(last_use, g), l);
          return;
        }
        if (can_be_read && hold) {
          here_loop.held_in.push_back(i);
          here_loop.source.push_back({i, i});
          return;
        }
      }
      here_loop.body.push_back(i);
      for_reads(i, [&](int j) {
        if (node(j).batch_relation.sampled()) asked.insert(j);
        else element(last_use, entry(j).owner) = std::max(element(last_use, entry(j).owner), l);
      });
    });
    std::reverse(here_loop.body.begin(), here_loop.body.end());
    join_pull_backs(here_loop.body);
  }
}

/// Fills the sections. A whole value is computed just before the first loop that needs the value.
constexpr void schedule::fill_sections() {
  for (int l = 0; l <= loops; ++l) section.push_back({});
  constexpr int never = std::numeric_limits<int>::max();
  std::vector<int> before = filled(never);
  for (const int o : outputs) element(before, o) = loops;
  for (int l = loops - 1; l >= 0; --l)
    for (const int i : loop_of[static_cast<std::size_t>(l)].body)
      for_reads(i, [&](int j) { element(before, j) = std::min(element(before, j), l); });
  for (int i = size() - 1; i >= 0; --i) {
    if (!is_live(i) || node(i).batch_relation.kind != batch_relation::whole || element(before, i) == never) continue;
    for_reads(i, [&](int j) { element(before, j) = std::min(element(before, j), element(before, i)); });
  }
  for (int i = 0; i < size(); ++i)
    if (is_live(i) && node(i).batch_relation.kind == batch_relation::whole && node(i).kind != node_kind::leaf &&
        element(before, i) != never && entry(i).accumulator < 0)
      section[static_cast<std::size_t>(element(before, i))].push_back(i);
  for (std::vector<int>& computed : section) {
    put_numbers_last(computed);
    join_pull_backs(computed);
  }
}

/// Moves element-wise nodes that compute one number from numbers, such as a mean from a sum, to
/// the end. Such a node stays in place if a node that is not moved reads its number. If these
/// nodes were not moved, they would separate the kernel of a loss from the kernel of the loss's
/// gradient. These two kernels are fused if they are adjacent.
constexpr void schedule::put_numbers_last(std::vector<int>& computed) const {
  const auto is_number = [&](int i) { return node(i).dims.count() == 1; };
  node_set read_early(graph_->nodes.size());
  std::vector<int> early, late;
  for (std::size_t pos = computed.size(); pos-- > 0;) {
    const int i = computed[pos];
    bool waits = is_number(i) && node(i).op != nullptr && node(i).op->elements != nullptr && !read_early.has(i);
    for_reads(i, [&](int j) { waits = waits && is_number(j); });
    if (!waits) for_reads(i, [&](int j) { read_early.insert(j); });
    (waits ? late : early).push_back(i);
  }
  computed.assign(early.rbegin(), early.rend());
  computed.insert(computed.end(), late.rbegin(), late.rend());
}

/// Moves each pull-back directly behind the value that its kernel can also compute (see
/// pulls_back). A node between the two moves in front of the value if it does not need the value.
/// If it needs the value, it moves behind the pull-back. Nothing moves if a node between the two
/// is larger than the value, or needs the value and reads a second value that is larger. In these
/// cases the larger value might live longer.
constexpr void schedule::join_pull_backs(std::vector<int>& computed) const {
  for (std::size_t pos = 0; pos < computed.size(); ++pos) {
    const graph_node& y = node(computed[pos]);
    if (y.op == nullptr || y.op->pull_back == nullptr) continue;
    node_set needing(graph_->nodes.size());  // nodes that need the value
    needing.insert(computed[pos]);
    std::vector<int> before, after;
    for (std::size_t q = pos + 1; q < computed.size(); ++q) {
      const int here = computed[q];
      bool needs = false, small = true;
      for_reads(here, [&](int j) {
        needs = needs || needing.has(j);
        small = small && node(entry(j).owner).dims.count() <= y.dims.count();
      });
      if (pulls_back(*graph_, here, computed[pos])) {
        if (needs) break;
        before.push_back(computed[pos]);
        before.push_back(here);
        before.insert(before.end(), after.begin(), after.end());
        std::copy(before.begin(), before.end(), computed.begin() + static_cast<std::ptrdiff_t>(pos));
        break;
      }
      if (!node(here).is_view() && (node(here).dims.count() > y.dims.count() || (needs && !small))) break;
      if (needs) needing.insert(here);
      (needs ? after : before).push_back(here);
    }
  }
}

}  // namespace koila::inline v0::detail
