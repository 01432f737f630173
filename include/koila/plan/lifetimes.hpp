// SPDX-License-Identifier: MIT
#pragma once
// Lifetimes: the buffers of a schedule with given chunk sizes, and the steps at which each buffer
// is alive. The run uses exactly these buffers.
#include <koila/plan/concat_in_place.hpp>
#include <koila/plan/inplace_reuse.hpp>

namespace koila::inline v0::detail {

/// The purpose of a buffer.
enum class role : signed char {
  value,   ///< a whole value, a finished partial value, or a per-sample value of one chunk
  part,    ///< the contribution of one or a few chunks to a partial value, before it is added to this value
  accumulator,   ///< the accumulator of a partial value whose dtype is not precise enough
  compensation,  ///< the rounding error so far of a compensated sum
  held,    ///< a per-sample value of the whole batch, kept in memory for a later loop
  number,  ///< a C++ number as a tensor
};

/// The value in a buffer. `loop` is negative if the buffer does not belong to a loop.
struct purpose {
  int node = -1;
  int loop = -1;
  koila::detail::role role = koila::detail::role::value;
};

/// Returns the extent of dim i of a node for a chunk of `samples` samples.
constexpr auto extent_in_chunk(const graph_node& n, int i, index_t samples) -> index_t {
  return n.batch_relation.sampled() && i == n.batch_relation.axis
             ? n.batch_relation.outer * samples * n.batch_relation.inner
             : n.dims.e[i].n;
}
/// Returns the dims of a node for a chunk of `samples` samples.
constexpr auto dims_in_chunk(const graph_node& n, index_t samples) -> dims {
  dims d = n.dims;
  if (n.batch_relation.sampled()) d.e[n.batch_relation.axis].n = extent_in_chunk(n, n.batch_relation.axis, samples);
  return d;
}

/// The largest workspace that kernels need, in bytes. koila's own kernels use `scratch`, which
/// stays allocated between kernels. Other kernels allocate their workspace (`other`) and free it.
struct kernel_workspace {
  index_t scratch = 0, other = 0;

  constexpr void include(const kernel_workspace& o) {
    scratch = std::max(scratch, o.scratch);
    other = std::max(other, o.other);
  }
  constexpr auto bytes() const -> index_t { return scratch + other; }
  constexpr auto within(const kernel_workspace& most) const -> bool {
    return scratch <= most.scratch && other <= most.other;
  }
};

/// Returns the workspace of a node's kernel, in bytes, for a chunk of `samples` samples.
constexpr auto workspace_of(const builder& b, int node, index_t samples) -> index_t {
  const graph_node& x = b.node(node);
  if (x.cost.workspace == 0 || is_of_elements(b, x)) return 0;
  dims in[most_operands];
  for (int k = 0; k < x.operand_count; ++k)
    in[k] = dims_in_chunk(b.node(x.operands[static_cast<std::size_t>(k)]), samples);
  return x.op->cost(in, dims_in_chunk(x, samples), x.attributes.get()).workspace;
}
constexpr auto kernel_workspace_of(const builder& b, int node, index_t samples) -> kernel_workspace {
  const index_t bytes = workspace_of(b, node, samples);
  return b.node(node).cost.is_scratch ? kernel_workspace{bytes, 0} : kernel_workspace{0, bytes};
}

/// Returns the dtype in which a partial value is accumulated. For sums and products, it is the
/// accumulator_of() of their dtype. For means and variances, it is float64, because each update
/// rounds the result of all earlier samples again.
constexpr auto total_type(const graph_node& n) -> dtype {
  if (n.batch_relation.combine == monoid::moments) return dtype::float64;
  return n.batch_relation.combine == monoid::sum || n.batch_relation.combine == monoid::prod
             ? accumulator_of(n.dims.type)
             : n.dims.type;
}
/// Returns true if a partial value is accumulated in a separate buffer, which has
/// role::accumulator.
constexpr auto has_total(const graph_node& n) -> bool {
  if (n.batch_relation.kind != batch_relation::partial) return false;
  return n.batch_relation.combine == monoid::moments || total_type(n) != n.dims.type;
}

/// A float32 sum of more parts than this is compensated. A part is the contribution of one chunk.
/// Adding this many parts one by one loses less precision than computing the parts.
inline constexpr index_t few_parts = 64;
/// This many parts are added up before the result is added to a compensated sum.
inline constexpr index_t parts_per_sum = 32;
/// Returns true if a partial value is a compensated sum once it has more than `few_parts` parts.
constexpr auto is_compensated(const graph_node& n) -> bool {
  return n.batch_relation.kind == batch_relation::partial && n.batch_relation.combine == monoid::sum &&
         n.dims.type == dtype::float32;
}
constexpr auto chunks_of(index_t samples, index_t of_chunk) -> index_t {
  return of_chunk > 0 ? (samples + of_chunk - 1) / of_chunk : 1;
}
/// Returns true if a partial value has more than `few_parts` parts when each chunk contributes
/// `parts` parts.
constexpr auto has_many_parts(index_t samples, index_t of_chunk, index_t parts) -> bool {
  return chunks_of(samples, of_chunk) * parts > few_parts;
}

/// Returns the index of `node` in a list of nodes in descending order, or the list's size if the
/// list does not contain the node.
constexpr auto place_in(const std::vector<int>& latest_first, int node) -> std::size_t {
  const auto at = std::lower_bound(latest_first.begin(), latest_first.end(), node, [](int x, int y) { return x > y; });
  return at != latest_first.end() && *at == node ? static_cast<std::size_t>(at - latest_first.begin())
                                                 : latest_first.size();
}

/// The buffers of a schedule with given chunk sizes. assign_offsets(ranges) sets their offsets.
struct lifetimes {
  /// The buffers of the value at one position of a loop's body, as indices into `ranges`, or -1.
  struct chunk_buffers {
    /// The buffer for one chunk of the value. If both `own` and `rows` of a computed per-sample
    /// value are -1, only the kernel that computes the value reads it.
    int own = -1;
    /// Start of the value in `own`, in bytes per sample of the chunk. The start is not 0 for an
    /// inner concatenation, which is written into the buffer of the outermost concatenation.
    index_t offset = 0;
    int rows = -1;   ///< a buffer of the whole batch; each chunk of the value is written to its rows
    int part = -1;   ///< the buffer with role::part, for a partial value
    int accumulator = -1;  ///< the buffer with role::accumulator, for a partial value
    int compensation = -1;  ///< the buffer with role::compensation, for a partial value
  };
  std::vector<live_range> ranges;
  std::vector<purpose> what;  ///< purpose of each range; if the buffer is reused, its first purpose (see `later`)
  /// A buffer that a new value takes over in place. The kernel that writes the new value is the
  /// last kernel that reads the old value.
  struct taken_over {
    int range, from, node;  ///< from step `from` on, `range` holds the value of `node`
  };
  std::vector<taken_over> later;  ///< in the order of steps for each range
  std::vector<int> whole;  ///< node -> range of its whole buffer, or -1
  std::vector<std::vector<chunk_buffers>> loop;  ///< [loop][position in its body]
  std::vector<std::vector<int>> held;  ///< [loop][index in its held_in] -> range of the buffer of the whole batch
  std::vector<fusion_groups> section_runs, loop_runs;  ///< of each section and each loop
  std::vector<int> step_node;  ///< step -> node that is computed; -1: a loop begins or ends, or the run ends
  std::vector<int> loop_begin;  ///< the step before each loop's body
  kernel_workspace kernels;  ///< the largest workspace of all kernels

  /// `external` marks the nodes whose buffers are separate tensors. `of_chunk` has the samples per
  /// chunk of each loop. If `with_workspace` is true, also computes the workspace of the kernels,
  /// which doubles the time of the constructor.
  constexpr lifetimes(const builder& b, const schedule& s, const std::vector<char>& external, index_t samples,
                      const std::vector<index_t>& of_chunk, bool with_workspace = true);

  /// Returns the largest workspace of the kernels, in bytes.
  constexpr auto workspace() const -> index_t { return kernels.bytes(); }
  /// Sets the chunk size of all loops and resizes the buffers. Both the old and the new size must
  /// be smaller than the batch. Does not update the workspace.
  constexpr void resize(index_t of_chunk) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const size_rule& rule_of = sizes_[i];
      if (rule_of.per_sample >= 0) ranges[i].bytes = aligned(rule_of.per_sample * of_chunk);
      if (rule_of.of_many >= 0)
        ranges[i].bytes = has_many_parts(batch_, of_chunk, rule_of.parts) ? aligned(rule_of.of_many) : 0;
    }
  }

 private:
  struct size_rule {
    index_t per_sample;  // bytes, if the buffer grows with the chunk; else -1
    index_t of_many;  // bytes, if the buffer is needed only for sums of more than `few_parts` parts; else -1
    index_t parts;  // parts that each chunk contributes to that sum
  };
  std::vector<size_rule> sizes_;
  index_t batch_ = 0;

  constexpr auto add(int begin, int end, index_t bytes, purpose what_for, size_rule size = {-1, -1, 1}) -> int {
    ranges.push_back({begin, std::max(begin, end), aligned(bytes)});
    what.push_back(what_for);
    sizes_.push_back(size);
    return static_cast<int>(ranges.size()) - 1;
  }
  struct last_readers {
    std::vector<int> step;  // node -> last step that reads its whole buffer
    std::vector<std::vector<int>> in_loop;  // [loop][position] -> last step of the loop that reads the value
    std::vector<std::vector<int>> held;  // [loop][index in its held_in] -> last step that reads the held value
    std::vector<int> position;  // node -> position in the current loop; -1 between loops
  };
  constexpr void add_loop(const builder& b, const schedule& s, int l, index_t chunk, const std::vector<char>& external,
                          last_readers& last);
  /// Reuses a buffer for the value of `node`. The kernel at `position` must be the last one that
  /// reads the buffer. The value is alive from step `begin` to step `end`. Returns the index of
  /// the buffer's range, or -1 if there is no such buffer.
  constexpr auto take_over(inplace_reuse& dying, std::size_t position, int begin, int end, int node) -> int {
    const int range = dying.claim(position);
    if (range < 0) return -1;
    live_range& r = ranges[static_cast<std::size_t>(range)];
    r.end = std::max(r.end, end);
    later.push_back({range, begin, node});
    return range;
  }
};

constexpr lifetimes::lifetimes(const builder& b, const schedule& s, const std::vector<char>& external, index_t samples,
                               const std::vector<index_t>& of_chunk, bool with_workspace)
    : batch_(samples) {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  const int n = static_cast<int>(b.nodes.size());
  const auto fill = [&](int count, int v) { return detail::filled(idx(count), v); };
  const auto several = [&](int l) { return of_chunk[idx(l)] < samples; };
  const auto for_reads = [&](int i, auto f) {
    for (int k = 0; k < b.node(i).operand_count; ++k)
      if (b.node(i).reads(k)) f(b.node(i).operands[idx(k)]);
  };

  // Number the steps of sections and loops in order. Each loop also has a step before and a step
  // after its body. All results of a fused kernel are alive from the first step of its group on.
  // All operands are alive until the last step of the group.
  std::vector<int> step = fill(n, -1), run_end = fill(n, -1);
  for (int l = 0; l <= s.loops; ++l) {
    section_runs.emplace_back(b, s.section[idx(l)], s.nodes);
    const fusion_groups& runs = section_runs.back();
    const int begin = static_cast<int>(step_node.size());
    for (std::size_t pos = 0; pos < s.section[idx(l)].size(); ++pos) {
      const int i = s.section[idx(l)][pos];
      step[idx(i)] = begin + runs.first[pos];
      run_end[idx(i)] = begin + runs.last[pos];
      step_node.push_back(i);
    }
    if (l == s.loops) break;
    loop_runs.emplace_back(b, s.loop_of[idx(l)].body, s.nodes);
    loop_begin.push_back(static_cast<int>(step_node.size()));
    step_node.push_back(-1);
    for (const int i : s.loop_of[idx(l)].body) step_node.push_back(i);
    step_node.push_back(-1);
  }
  const int commit = static_cast<int>(step_node.size());
  step_node.push_back(-1);
  const auto end_of = [&](int l) { return loop_begin[idx(l)] + 1 + static_cast<int>(s.loop_of[idx(l)].body.size()); };

  // Find the last reader of each whole buffer, of each value within its loop, and of each value
  // that is held (kept in memory for a later loop).
  last_readers last{fill(n, -1), {}, {}, fill(n, -1)};
  std::vector<int>& position = last.position;
  std::vector<int> source = fill(n, -1), held_last = fill(n, -1);
  const auto use = [&](int i, int time) { last.step[idx(i)] = std::max(last.step[idx(i)], time); };
  for (int l = 0; l <= s.loops; ++l) {
    for (const int i : s.section[idx(l)]) {
      if (b.node(i).is_view()) continue;
      for_reads(i, [&](int j) { use(s.nodes[idx(j)].owner, run_end[idx(i)]); });
    }
    if (l == s.loops) break;
    const auto& body = s.loop_of[idx(l)];
    const int count = static_cast<int>(body.body.size());
    last.in_loop.push_back(fill(count, -1));
    std::vector<int> owner = fill(count, -1);  // position -> position that owns the storage, or -1 if no position does
    for (const auto& [node, from] : body.source) source[idx(node)] = from;
    for (const int i : body.held_in) held_last[idx(i)] = -1;
    for (int pos = 0; pos < count; ++pos) {
      const int i = body.body[idx(pos)];
      const int time = loop_begin[idx(l)] + 1 + loop_runs[idx(l)].last[idx(pos)], until = several(l) ? end_of(l) : time;
      if (b.node(i).is_view()) {
        const int from = position[idx(b.node(i).operands[0])];
        owner[idx(pos)] = from >= 0 ? owner[idx(from)] : -1;
      } else {
        for_reads(i, [&](int j) {
          const int at = position[idx(j)], o = s.nodes[idx(j)].owner;
          if (at >= 0 && owner[idx(at)] >= 0) {
            int& until_here = last.in_loop[idx(l)][idx(owner[idx(at)])];
            until_here = std::max(until_here, time);
          } else if (!b.node(o).batch_relation.sampled()) {
            use(o, until);
          } else if (source[idx(o)] == o) {
            held_last[idx(o)] = std::max(held_last[idx(o)], time);
          } else if (source[idx(o)] >= 0) {
            use(source[idx(o)], until);
          }
        });
        owner[idx(pos)] = pos;
      }
      position[idx(i)] = pos;
    }
    last.held.push_back({});
    for (const int i : body.held_in)
      last.held.back().push_back(several(l) ? end_of(l) : std::max(held_last[idx(i)], loop_begin[idx(l)]));
    for (const int i : body.body) position[idx(i)] = -1;
    for (const auto& [node, from] : body.source) source[idx(node)] = -1;
  }
  for (const int o : s.outputs) use(s.nodes[idx(o)].owner, commit);
  // If a value is also held for the next loop, the value stays alive until that loop no longer
  // needs it.
  for (int l = s.loops - 1; l > 0; --l) {
    const auto& here = s.loop_of[idx(l - 1)].held_in;
    const auto& next = s.loop_of[idx(l)].held_in;
    for (std::size_t k = 0; k < next.size(); ++k)
      if (const std::size_t before = place_in(here, next[k]); before < here.size())
        last.held[idx(l - 1)][before] = last.held[idx(l)][k];
  }

  ranges.reserve(step_node.size());
  what.reserve(step_node.size());
  sizes_.reserve(step_node.size());
  whole = fill(n, -1);
  for (int i = 0; i < n; ++i)
    if (b.node(i).kind == node_kind::number && last.step[idx(i)] >= 0)
      whole[idx(i)] = add(0, commit, 8, {i, -1, role::number});

  // Add the buffers for whole values of sections. An element-wise kernel may write a result over
  // an operand that it is the last to read.
  for (int l = 0; l <= s.loops; ++l) {
    const auto& nodes = s.section[idx(l)];
    const fusion_groups& runs = section_runs[idx(l)];
    inplace_reuse dying;  // the buffers that the current kernel may overwrite
    for (std::size_t pos = 0; pos < nodes.size(); ++pos) {
      const int i = nodes[pos], begin = step[idx(i)], end = last.step[idx(i)];
      const bool of_elements = is_of_elements(b, b.node(i));
      if (of_elements && idx(runs.first[pos]) == pos)
        dying = inplace_reuse(b, s.nodes, nodes, runs, pos, run_end[idx(i)], ranges, [&](int owner) {
          return step[idx(owner)] >= 0 && step[idx(owner)] < begin && external[idx(owner)] == 0 ? whole[idx(owner)]
                                                                                                : -1;
        });
      if (b.node(i).kind != node_kind::compute) continue;
      if (external[idx(i)] != 0) whole[idx(i)] = add(0, commit, 0, {i, -1, role::value});
      else if (begin == run_end[idx(i)] || end > run_end[idx(i)]) {
        if (of_elements) whole[idx(i)] = take_over(dying, pos, begin, end, i);
        if (whole[idx(i)] < 0) whole[idx(i)] = add(begin, end, b.node(i).dims.bytes(), {i, -1, role::value});
      }
    }
  }
  for (int l = 0; l < s.loops; ++l) add_loop(b, s, l, std::min(of_chunk[idx(l)], samples), external, last);
  if (!with_workspace) return;
  for (int l = 0; l <= s.loops; ++l) {
    for (const int i : s.section[idx(l)]) kernels.include(kernel_workspace_of(b, i, samples));
    if (l == s.loops) break;
    for (const int i : s.loop_of[idx(l)].body)
      kernels.include(kernel_workspace_of(b, i, std::min(of_chunk[idx(l)], samples)));
  }
}

constexpr void lifetimes::add_loop(const builder& b, const schedule& s, int l, index_t c,
                                   const std::vector<char>& external, last_readers& last) {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  const auto& body = s.loop_of[idx(l)];
  const fusion_groups& runs = loop_runs[idx(l)];
  const int count = static_cast<int>(body.body.size()), begin = loop_begin[idx(l)], end = begin + 1 + count;
  const auto first_step = [&](int pos) { return begin + 1 + runs.first[idx(pos)]; };
  const int commit = static_cast<int>(step_node.size()) - 1;
  const bool many = c < batch_;
  loop.emplace_back();
  std::vector<chunk_buffers>& at = loop.back();
  at.reserve(idx(count));
  for (int pos = 0; pos < count; ++pos) at.push_back({});
  for (int pos = count - 1; pos >= 0; --pos)
    last.position[idx(body.body[idx(pos)])] =
        pos;  // the first position; nodes that are looked up here are computed only once

  // Add the buffers that all chunks of this loop fill. They are for held values, gathered values
  // and partial values.
  if (l == 0) held.push_back({});
  if (l + 1 < s.loops) held.push_back({});
  for (std::size_t k = 0; k < body.held_out.size(); ++k) {
    const int i = body.held_out[k];
    if (const std::size_t before = place_in(body.held_in, i); before < body.held_in.size()) {
      held.back().push_back(held[idx(l)][before]);
      continue;
    }
    const int pos = last.position[idx(i)];
    held.back().push_back(
        add(many ? begin : first_step(pos), last.held[idx(l + 1)][k], b.node(i).dims.bytes(), {i, -1, role::held}));
    if (!many || has_contiguous_rows(b.node(i))) at[idx(pos)].rows = held.back().back();
  }
  for (int pos = 0; pos < count; ++pos) {
    const int i = body.body[idx(pos)], time = begin + 1 + pos;
    const graph_node& x = b.node(i);
    if (x.batch_relation.kind != batch_relation::partial) continue;
    const int owner = s.nodes[idx(i)].owner;
    if (whole[idx(owner)] >= 0) {  // shares an accumulator with an earlier partial value of this loop
      int q = pos - 1;
      while (s.nodes[idx(body.body[idx(q)])].accumulator != owner) --q;
      at[idx(pos)] = at[idx(q)];
      whole[idx(i)] = whole[idx(owner)];
      continue;
    }
    int from = many ? begin : time, to = std::max(last.step[idx(owner)], many ? end : time);
    const auto new_whole = [&] {
      whole[idx(i)] = whole[idx(owner)] = external[idx(owner)] != 0
                                              ? add(0, commit, 0, {owner, -1, role::value})
                                              : add(from, to, x.dims.bytes(), {owner, -1, role::value});
    };
    if (x.kind == node_kind::gather_rows) {
      const int z = last.position[idx(x.operands[0])];
      if (z >= 0 && !b.node(x.operands[0]).is_view() && at[idx(z)].rows < 0 &&
          (!many || has_contiguous_rows(b.node(x.operands[0])))) {
        if (!many) from = first_step(z), to = std::max(to, last.in_loop[idx(l)][idx(z)]);
        new_whole();
        at[idx(z)].rows = whole[idx(i)];
        continue;
      }
    } else if (many && has_total(x)) {
      at[idx(pos)].part = add(time, time, x.dims.bytes(), {i, l, role::part});
      at[idx(pos)].accumulator = add(from, end, x.dims.with(total_type(x)).bytes(), {i, l, role::accumulator});
      from = end;
    } else if (many) {
      const index_t bytes = x.dims.bytes(), now = has_many_parts(batch_, c, s.nodes[idx(i)].parts) ? bytes : 0;
      const size_rule how{-1, bytes, s.nodes[idx(i)].parts};
      if (x.op->operators.accumulate == nullptr && !runs.is_fused(idx(pos)))
        at[idx(pos)].part = add(time, time, bytes, {i, l, role::part});
      else if (is_compensated(x)) at[idx(pos)].part = add(begin, end, now, {i, l, role::part}, how);
      if (is_compensated(x)) at[idx(pos)].compensation = add(begin, end, now, {i, l, role::compensation}, how);
    }
    new_whole();
  }
  // Add the buffers for values of one chunk. The buffer of the outermost concatenation is alive
  // from the step of its first inner concatenation on.
  const std::vector<concat_destination> nested =
      concat_in_place(b, body.body, [&](int pos) { return at[idx(pos)].rows >= 0; });
  const auto end_of_value = [&](int pos) { return last.in_loop[idx(l)][idx(pos)]; };
  inplace_reuse dying;  // the buffers that the current kernel may overwrite
  for (int pos = 0; pos < count; ++pos) {
    const int i = body.body[idx(pos)];
    const graph_node& x = b.node(i);
    last.position[idx(i)] = pos;
    if (is_of_elements(b, x) && runs.first[idx(pos)] == pos)
      dying =
          inplace_reuse(b, s.nodes, body.body, runs, idx(pos), begin + 1 + runs.last[idx(pos)], ranges, [&](int owner) {
            const int from = last.position[idx(owner)];
            return from >= 0 && from < pos ? at[idx(from)].own : -1;
          });
    if (!x.batch_relation.sampled() || x.is_view() || at[idx(pos)].rows >= 0 || at[idx(pos)].own >= 0) continue;
    const auto new_value = [&](int node, int until) {
      const index_t bytes = bytes_per_sample(b.node(node));
      return add(first_step(pos), until, bytes * c, {node, l, role::value}, {bytes, -1, 1});
    };
    if (!nested.empty() && nested[idx(pos)].root >= 0) {
      const auto [root, from] = nested[idx(pos)];
      int& own = at[idx(root)].own;
      if (own < 0) own = new_value(body.body[idx(root)], end_of_value(root));
      at[idx(pos)].own = own, at[idx(pos)].offset = from;
      continue;
    }
    int until = end_of_value(pos);
    if (pos + 1 < count && pulls_back(b, body.body[idx(pos) + 1], i)) until = std::max(until, begin + 2 + pos);
    if (runs.is_fused(idx(pos)) && until <= begin + 1 + runs.last[idx(pos)]) continue;
    if (is_of_elements(b, x)) at[idx(pos)].own = take_over(dying, idx(pos), first_step(pos), until, i);
    if (at[idx(pos)].own < 0) at[idx(pos)].own = new_value(i, until);
  }
  for (const int i : body.body) last.position[idx(i)] = -1;
}

}  // namespace koila::inline v0::detail
