#pragma once
// From a schedule and chunk sizes to buffers: what is alive when, exactly as the run will have it.
#include <koila/plan/arena.hpp>
#include <koila/plan/schedule.hpp>

namespace koila {

/// What a buffer is for.
enum class role : signed char {
  value,   ///< a whole value, a finished partial, or a per-sample value of one chunk
  part,    ///< one chunk's part of a partial, before it is added
  total,   ///< the parts so far, of a partial whose own dtype would lose some
  held,    ///< a per-sample value of all samples, kept for a later loop
  number,  ///< a C++ number as a tensor
};

/// Which buffer is what; `loop` is negative for what does not belong to one.
struct purpose {
  int node = -1;
  int loop = -1;
  role is = role::value;
};

/// The dims of a node when a chunk has `samples` samples.
constexpr auto dims_in_chunk(const gnode& n, index_t samples) -> dims {
  dims d = n.d;
  if (n.r.sampled()) d.e[n.r.axis].n = n.r.outer * samples * n.r.inner;
  return d;
}

/// Whether a partial's parts are added up or multiplied in another dtype than its own.
constexpr auto has_total(const gnode& n) -> bool {
  return n.r.is == relation::partial && (n.r.combine == monoid::sum || n.r.combine == monoid::prod) &&
         accumulator_of(n.d.type) != n.d.type;
}

/// The buffers of a schedule with given chunk sizes. Offsets are set by place(ranges).
struct lifetimes {
  std::vector<live_range> ranges;
  std::vector<purpose> what;            ///< of each range
  std::vector<int> whole;              ///< node -> range of its whole buffer, or -1
  std::vector<std::vector<int>>
      local; ///< loop, node -> range of its chunk's buffer, or -1: it is a view, or rows of a whole buffer
  std::vector<std::vector<int>> part;  ///< loop, node -> range of its part
  std::vector<std::vector<int>> total;  ///< loop, node -> range of its total
  std::vector<std::vector<int>> rows_of;  ///< loop, node -> the range whose rows it is computed into, or -1
  std::vector<int> step_node;          ///< what is computed at each step; -1: a loop's begin or end
  index_t workspace = 0;               ///< the most that one kernel allocates besides

  /// `external`: nodes whose buffers are tensors of their own. `chunk`: samples per chunk of each loop.
  constexpr lifetimes(const builder& b, const schedule& s, const std::vector<char>& external, index_t batch,
                      const std::vector<index_t>& chunk);

  /// The same buffers for another chunk size of all loops, which like the first is smaller than the batch.
  constexpr void resize(const builder& b, index_t chunk) {
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (per_sample_[i] >= 0) ranges[i].bytes = aligned(per_sample_[i] * chunk);
    workspace = 0;
    for (const int i : with_workspace_) note_workspace(b, i, chunk);
  }

 private:
  KOILA_COLD constexpr void note_workspace(const builder& b, int i, index_t chunk) {
    const gnode& x = b.at(i);
    dims in[most_operands];
    for (int k = 0; k < x.n_in; ++k) in[k] = dims_in_chunk(b.at(x.in[static_cast<std::size_t>(k)]), chunk);
    const index_t n = x.op->cost(in, dims_in_chunk(x, chunk), x.attributes.get()).workspace;
    workspace = std::max(workspace, n);
    if (n > 0 && std::find(with_workspace_.begin(), with_workspace_.end(), i) == with_workspace_.end())
      with_workspace_.push_back(i);
  }
  std::vector<index_t> per_sample_;  // bytes of ranges that grow with the chunk, else -1
  std::vector<int> with_workspace_;  // nodes whose kernels allocate

  KOILA_COLD constexpr auto add(int begin, int end, index_t bytes, purpose what_for, index_t per_sample = -1) -> int {
    ranges.push_back({begin, std::max(begin, end), aligned(bytes)});
    what.push_back(what_for);
    per_sample_.push_back(per_sample);
    return static_cast<int>(ranges.size()) - 1;
  }
};

KOILA_COLD constexpr lifetimes::lifetimes(const builder& b, const schedule& s, const std::vector<char>& external, index_t batch,
                                          const std::vector<index_t>& chunk) {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  const int n = static_cast<int>(b.nodes.size());
  const auto fill = [&](int v) {
    std::vector<int> out;
    out.reserve(idx(n));
    for (int i = 0; i < n; ++i) out.push_back(v);
    return out;
  };
  const auto several = [&](int l) { return chunk[idx(l)] < batch; };
  const auto for_reads = [&](int i, auto f) {
    for (int k = 0; k < b.at(i).n_in; ++k)
      if (b.at(i).reads(k)) f(b.at(i).in[idx(k)]);
  };

  // Steps: sections and loops in order, each loop between a begin and an end.
  std::vector<int> step = fill(-1), begin, end;
  std::vector<std::vector<int>> loop_step;
  for (int l = 0; l <= s.loops; ++l) {
    for (const int i : s.section[idx(l)]) {
      step[idx(i)] = static_cast<int>(step_node.size());
      step_node.push_back(i);
    }
    if (l == s.loops) break;
    begin.push_back(static_cast<int>(step_node.size()));
    step_node.push_back(-1);
    loop_step.push_back(fill(-1));
    for (const int i : s.loop_of[idx(l)].body) {
      loop_step.back()[idx(i)] = static_cast<int>(step_node.size());
      step_node.push_back(i);
    }
    end.push_back(static_cast<int>(step_node.size()));
    step_node.push_back(-1);
  }
  const int commit = static_cast<int>(step_node.size());
  step_node.push_back(-1);

  // Last readers: of whole buffers over all, of per-sample values within each loop.
  std::vector<int> last = fill(-1);
  std::vector<std::vector<int>> last_in;
  const auto use = [&](int i, int t) { last[idx(i)] = std::max(last[idx(i)], t); };
  for (int l = 0; l <= s.loops; ++l) {
    for (const int i : s.section[idx(l)]) {
      if (b.at(i).is_view()) continue;
      for_reads(i, [&](int j) { use(s.owner[idx(j)], step[idx(i)]); });
    }
    if (l == s.loops) break;
    const auto& loop = s.loop_of[idx(l)];
    last_in.push_back(fill(-1));
    std::vector<int> source = fill(-1);
    for (const auto& [node, from] : loop.source) source[idx(node)] = from;
    for (const int i : loop.body) {
      if (b.at(i).is_view()) continue;
      const int t = loop_step.back().empty() ? 0 : loop_step[idx(l)][idx(i)];
      const int until = several(l) ? end[idx(l)] : t;
      for_reads(i, [&](int j) {
        const int o = s.owner[idx(j)];
        if (!b.at(o).r.sampled()) return use(o, until);
        last_in[idx(l)][idx(o)] = std::max(last_in[idx(l)][idx(o)], t);
        if (source[idx(o)] >= 0 && source[idx(o)] != o) use(source[idx(o)], until);
      });
    }
  }
  for (const int o : s.outputs) use(s.owner[idx(o)], commit);

  whole = fill(-1);
  for (int l = 0; l < s.loops; ++l)
    for (auto* const ranges_of : {&local, &part, &total, &rows_of}) ranges_of->push_back(fill(-1));
  const auto bytes_whole = [&](int i) { return b.at(i).d.bytes(); };
  const auto new_whole = [&](int i, int from, int to, role r) {
    whole[idx(i)] = external[idx(i)] != 0 ? add(0, commit, 0, {i, -1, r}) : add(from, to, bytes_whole(i), {i, -1, r});
  };

  for (int i = 0; i < n; ++i)
    if (b.at(i).is == kind::number && last[idx(i)] >= 0) whole[idx(i)] = add(0, commit, 8, {i, -1, role::number});

  // Whole values of sections.
  for (int l = 0; l <= s.loops; ++l)
    for (const int i : s.section[idx(l)])
      if (b.at(i).is == kind::compute) new_whole(i, step[idx(i)], last[idx(i)], role::value);

  for (int l = 0; l < s.loops; ++l) {
    const auto& loop = s.loop_of[idx(l)];
    const bool many = several(l);
    const index_t c = std::min(chunk[idx(l)], batch);
    // Buffers of all samples that this loop fills: held values, gathered values, partials.
    for (const int i : loop.held_out) {
      bool before = false;
      for (const int h : loop.held_in) before = before || h == i;
      if (before) continue;
      int to = begin[idx(l)];
      for (int e = l + 1; e < s.loops; ++e) {
        const auto& in = s.loop_of[idx(e)].held_in;
        if (std::find(in.begin(), in.end(), i) == in.end()) break;
        to = several(e) ? end[idx(e)] : std::max(last_in[idx(e)][idx(i)], begin[idx(e)]);
      }
      const int from = many ? begin[idx(l)] : loop_step[idx(l)][idx(i)];
      whole[idx(i)] = add(from, to, bytes_whole(i), {i, -1, role::held});
      if (!many || rows_together(b.at(i))) rows_of[idx(l)][idx(i)] = whole[idx(i)];
    }
    for (const int i : loop.body) {
      const gnode& x = b.at(i);
      const int t = loop_step[idx(l)][idx(i)];
      if (x.r.is != relation::partial) continue;
      int from = many ? begin[idx(l)] : t, to = std::max(last[idx(i)], many ? end[idx(l)] : t);
      if (x.is == kind::gather) {
        const int z = x.in[0];
        const bool computed = !b.at(z).is_view() && loop_step[idx(l)][idx(z)] >= 0 && rows_of[idx(l)][idx(z)] < 0;
        if (computed && (!many || rows_together(b.at(z)))) {
          if (!many) from = loop_step[idx(l)][idx(z)], to = std::max(to, last_in[idx(l)][idx(z)]);
          new_whole(i, from, to, role::value);
          rows_of[idx(l)][idx(z)] = whole[idx(i)];
          continue;
        }
      } else if (many && has_total(x)) {
        part[idx(l)][idx(i)] = add(t, t, bytes_whole(i), {i, l, role::part});
        total[idx(l)][idx(i)] = add(from, end[idx(l)], x.d.with(accumulator_of(x.d.type)).bytes(), {i, l, role::total});
        from = end[idx(l)];
      } else if (many && x.op->accumulate == nullptr) {
        part[idx(l)][idx(i)] = add(t, t, bytes_whole(i), {i, l, role::part});
      }
      new_whole(i, from, to, role::value);
    }
    // One chunk's values.
    for (const int i : loop.body) {
      const gnode& x = b.at(i);
      if (!x.r.sampled() || x.is_view() || rows_of[idx(l)][idx(i)] >= 0) continue;
      const int t = loop_step[idx(l)][idx(i)];
      local[idx(l)][idx(i)] =
          add(t, last_in[idx(l)][idx(i)], dims_in_chunk(x, c).bytes(), {i, l, role::value}, dims_in_chunk(x, 1).bytes());
    }
    for (const int i : loop.body)
      if (b.at(i).cost.workspace > 0) note_workspace(b, i, c);
  }
  for (int l = 0; l <= s.loops; ++l)
    for (const int i : s.section[idx(l)])
      if (b.at(i).cost.workspace > 0) note_workspace(b, i, batch);
}

}  // namespace koila
