// SPDX-License-Identifier: MIT
#pragma once
// The cost model predicts the run time of a plan from operator calls, arithmetic and memory
// traffic. The planner uses this time to compare the chunk sizes that fit the budget.
#include <koila/plan/lifetimes.hpp>

namespace koila::inline v0 {

/// The figures of a machine that the cost model uses. The defaults were measured on one core of an
/// AMD Zen 5; see docs/performance.md.
struct machine {
  double seconds_per_call = 1.5e-6;  ///< time of one operator call on small tensors
  double flops = 1e11;  ///< floating-point operations per second in large matrix products
  double rows_of_half_speed = 12;  ///< a matrix product of this many rows (not samples) runs at half of `flops`
  double elements = 2e9;  ///< operations per second in koila's element-wise kernels
  double threads = 1;  ///< number of threads; every speed is the sum over these threads
  double seconds_per_team = 0;  ///< time to start and join the threads, for each kernel that uses them
  double bytes_in_cache = 1.0e6;  ///< total size of the cores' private caches
  double bandwidth_in_cache = 4e10;  ///< bytes per second
  double bytes_in_shared_cache = 1.6e7;  ///< `bytes_in_cache` and the usable part of the shared cache
  double bandwidth_in_shared_cache = 2.5e10;  ///< bytes per second
  double bandwidth_of_memory = 1.2e10;  ///< bytes per second
  /// The batch is split for speed only if the split saves more than this fraction of the time. If
  /// the fraction is negative, a split batch may take longer by up to this fraction.
  double min_speedup = 0.05;
  /// Chunk sizes that are slower than the fastest by at most this fraction count as equally fast.
  /// Among these sizes, the planner chooses the one that needs the least memory.
  double tie_tolerance = 0;
  friend constexpr auto operator==(const machine&, const machine&) -> bool = default;

  /// Returns true if every figure is in the range that the cost model needs.
  constexpr auto is_usable() const -> bool {
    for (const double x : {seconds_per_call, flops, elements, bytes_in_cache, bandwidth_in_cache, bytes_in_shared_cache,
                           bandwidth_in_shared_cache, bandwidth_of_memory})
      if (!(x > 0) || x > 1e300) return false;  // NaN is rejected, too
    return rows_of_half_speed >= 0 && threads >= 1 && threads < 1e6 && seconds_per_team >= 0 &&
           seconds_per_team < 1e300 && min_speedup > -1 && min_speedup < 1 && tie_tolerance >= 0 && tie_tolerance < 1;
  }
  /// Returns the time of a kernel whose work takes `seconds` on all threads. The kernel runs on
  /// one thread if that is faster than starting the other threads.
  constexpr auto seconds_on_threads(double seconds) const -> double {
    return std::min(seconds * threads, seconds + seconds_per_team);
  }
  /// Returns the seconds to read or write one byte of a value, if `since` bytes have been moved
  /// since the last access to the value.
  constexpr auto seconds_per_byte(double since) const -> double {
    return 1 / (since <= bytes_in_cache          ? bandwidth_in_cache
                : since <= bytes_in_shared_cache ? bandwidth_in_shared_cache
                                                 : bandwidth_of_memory);
  }
};

namespace detail {

/// A linear function of the number of samples in a chunk.
struct per_chunk {
  double fixed = 0, per_sample = 0;
  constexpr auto for_samples(double samples) const -> double { return fixed + per_sample * samples; }
  constexpr auto operator+(const per_chunk& o) const -> per_chunk {
    return {fixed + o.fixed, per_sample + o.per_sample};
  }
  constexpr auto operator-(const per_chunk& o) const -> per_chunk {
    return {fixed - o.fixed, per_sample - o.per_sample};
  }
};

/// Returns true if a kernel runs for the node.
constexpr auto is_computed(const graph_node& x) -> bool {
  return !x.is_view() && x.kind != node_kind::leaf && x.kind != node_kind::number;
}

/// The work of one kernel, which computes a single node or a fusion group.
struct kernel_work {
  per_chunk flops, elements;
  double rows_per_sample = 0;  ///< maximum over all values that the kernel reads or writes
  std::size_t position = 0;  ///< position of the kernel's first node in the section or loop body
  std::size_t last_access = 0;  ///< end of the kernel's accesses in the list of all accesses
};
/// An access of a kernel to a value. `since` is the number of bytes moved since the previous
/// access to the value, including the value itself. A cache of at least this size still holds the
/// value.
struct memory_access {
  per_chunk bytes, since;
};

/// Adds the work of node `x` to the work of its kernel. `samples` is the batch size.
constexpr void add_work(kernel_work& k, const builder& b, const graph_node& x, double samples) {
  bool sampled = false;
  const auto look = [&](const graph_node& y) {
    if (!y.batch_relation.sampled()) return;
    sampled = true;
    const int columns = y.dims.rank - 1;
    const auto row =
        static_cast<double>(columns > y.batch_relation.axis && y.dims.e[columns].n > 0 ? y.dims.e[columns].n : 1);
    k.rows_per_sample = std::max(k.rows_per_sample, static_cast<double>(y.dims.count()) / row / samples);
  };
  look(x);
  for (int i = 0; i < x.operand_count; ++i)
    if (x.reads(i)) look(b.node(x.operands[static_cast<std::size_t>(i)]));
  const bool elements = x.op != nullptr && x.op->row_length == nullptr && x.op->elements_in != element_dtypes::none;
  per_chunk& f = elements || (x.op != nullptr && x.op->sums != nullptr) ? k.elements : k.flops;
  if (sampled) f.per_sample += x.cost.flops / samples;
  else f.fixed += x.cost.flops;
}
/// Returns the bytes that an access to value `y` moves. `owner` is the node that owns the storage
/// of `y`.
constexpr auto bytes_moved(const graph_node& y, const graph_node& owner, double samples) -> per_chunk {
  const auto n = static_cast<double>(std::min(y.dims.bytes(), owner.dims.bytes()));
  // A view that expands a whole value moves the same bytes for every chunk size.
  const bool rows =
      y.batch_relation.sampled() && (owner.batch_relation.sampled() || y.dims.bytes() <= owner.dims.bytes());
  if (rows) return {0, n / samples};
  return {n, 0};
}

/// The kernels of a schedule, with the arithmetic and the memory traffic of each kernel. This
/// class contains all kernels of the sections (outside the loops) and the kernels of one chunk of
/// each loop. One object serves all chunk sizes.
class schedule_work {
 public:
  /// `l` must be the lifetimes of schedule `s`. A value without a buffer causes no traffic,
  /// because only the kernel that computes the value reads it.
  constexpr schedule_work(const builder& b, const schedule& s, const lifetimes& l, index_t batch);

  /// Calls f(position, seconds) for every kernel of a section (each_of_section) or of one chunk of
  /// a loop (each_of_chunk).
  template <class F>
  constexpr void each_of_section(std::size_t l, const machine& m, F f) const {
    each(2 * l, batch_, m, f);
  }
  template <class F>
  constexpr void each_of_chunk(std::size_t l, index_t samples, const machine& m, F f) const {
    each(2 * l + 1, samples, m, f);
  }
  constexpr auto seconds_of_sections(const machine& m) const -> double {
    double total = 0;
    for (std::size_t stage = 0; stage < ends_.size(); stage += 2) total += seconds_of_stage(stage, batch_, m);
    return total;
  }
  /// Returns the time of all chunks of loop `l`, with `samples` samples per chunk.
  constexpr auto seconds_of_loop(std::size_t l, index_t samples, const machine& m) const -> double {
    const index_t chunks = batch_ > 0 ? chunks_of(batch_, std::clamp<index_t>(samples, 1, batch_)) : 1;
    return static_cast<double>(chunks) * seconds_of_stage(2 * l + 1, samples, m);
  }
  /// Returns the time of the whole schedule. `chunks` has the samples per chunk of each loop.
  constexpr auto seconds(const std::vector<index_t>& chunks, const machine& m) const -> double {
    double total = seconds_of_sections(m);
    for (std::size_t l = 0; l < chunks.size(); ++l) total += seconds_of_loop(l, chunks[l], m);
    return total;
  }

 private:
  struct touched {
    int kernel = -1;  // the last kernel that accessed the value, or -1
    detail::per_chunk before = {};  // bytes that the section or chunk had moved before that access
    bool stored = true;
  };
  index_t batch_;
  std::vector<detail::kernel_work> kernels_;
  std::vector<detail::memory_access> accesses_;
  std::vector<std::size_t> ends_;  // end of the kernels of each stage; stages alternate: section, loop, section, ...

  constexpr void add_stage(const builder& b, const schedule& s, const lifetimes& l, std::size_t stage,
                           std::vector<touched>& last);
  constexpr auto first_of(std::size_t stage) const -> std::size_t { return stage == 0 ? 0 : ends_[stage - 1]; }
  template <class F>
  constexpr void each(std::size_t stage, index_t samples, const machine& m, const F& f) const {
    for (std::size_t k = first_of(stage); k < ends_[stage]; ++k)
      f(kernels_[k].position, seconds_of_kernel(k, samples, m));
  }
  constexpr auto seconds_of_stage(std::size_t stage, index_t samples, const machine& m) const -> double {
    double total = 0;
    for (std::size_t k = first_of(stage); k < ends_[stage]; ++k) total += seconds_of_kernel(k, samples, m);
    return total;
  }
  constexpr auto seconds_of_kernel(std::size_t k, index_t samples, const machine& m) const -> double {
    const auto c = static_cast<double>(std::max<index_t>(1, std::min(samples, batch_)));
    const detail::kernel_work& x = kernels_[k];
    double seconds = x.elements.for_samples(c) / m.elements;
    for (std::size_t a = k == 0 ? 0 : kernels_[k - 1].last_access; a < x.last_access; ++a)
      seconds += accesses_[a].bytes.for_samples(c) * m.seconds_per_byte(accesses_[a].since.for_samples(c));
    const double rows = c * x.rows_per_sample;
    const double slow = x.flops.per_sample > 0 && rows > 0 ? 1 + m.rows_of_half_speed / rows : 1;
    return m.seconds_per_call + m.seconds_on_threads(seconds + x.flops.for_samples(c) / m.flops * slow);
  }
};

constexpr schedule_work::schedule_work(const builder& b, const schedule& s, const lifetimes& l, index_t samples)
    : batch_(samples) {
  std::vector<touched> last;
  last.reserve(b.nodes.size());
  for (std::size_t i = 0; i < b.nodes.size(); ++i) last.push_back({});
  for (std::size_t stage = 0; stage < 2 * static_cast<std::size_t>(s.loops) + 1; ++stage)
    add_stage(b, s, l, stage, last);
}

constexpr void schedule_work::add_stage(const builder& b, const schedule& s, const lifetimes& l, std::size_t stage,
                                        std::vector<touched>& last) {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  const bool in_loop = stage % 2 == 1;
  const std::vector<int>& nodes = in_loop ? s.loop_of[stage / 2].body : s.section[stage / 2];
  const fusion_groups& runs = in_loop ? l.loop_runs[stage / 2] : l.section_runs[stage / 2];
  const double samples = batch_ > 0 ? static_cast<double>(batch_) : 1.0;
  const auto first_kernel = static_cast<int>(kernels_.size());
  const std::size_t first_access = accesses_.size();
  detail::per_chunk moved;
  // One element for each access of this stage. The element is 0 if the stage has accessed the value
  // before. Otherwise the element is 1 for a whole value and 2 for a per-sample value.
  std::vector<char> first_of_all;
  const auto access = [&](int node, const detail::per_chunk& bytes) {
    touched& entry = last[idx(node)];
    const int kernel = static_cast<int>(kernels_.size()) - 1;
    if (entry.kernel == kernel) return;
    const bool before = entry.kernel >= first_kernel;
    first_of_all.push_back(before ? 0 : b.node(node).batch_relation.sampled() ? 2 : 1);
    accesses_.push_back({bytes, before ? moved - entry.before + bytes : detail::per_chunk()});
    entry.kernel = kernel;
    entry.before = moved;
    moved = moved + bytes;
    kernels_.back().last_access = accesses_.size();
  };
  int run = -1;  // first position of the last kernel's fusion group, or -1
  for (std::size_t pos = 0; pos < nodes.size(); ++pos) {
    const graph_node& x = b.node(nodes[pos]);
    if (!detail::is_computed(x)) continue;
    if (!runs.is_fused(pos) || runs.first[pos] != run) {
      kernels_.push_back({});
      kernels_.back().position = pos;
      kernels_.back().last_access = accesses_.size();
    }
    run = runs.is_fused(pos) ? runs.first[pos] : -1;
    detail::add_work(kernels_.back(), b, x, samples);
    for (int k = 0; k < x.operand_count; ++k) {
      if (!x.reads(k)) continue;
      const int y = x.operands[idx(k)], o = s.nodes[idx(y)].owner;
      if (last[idx(o)].stored) access(o, detail::bytes_moved(b.node(y), b.node(o), samples));
    }
    bool stored = l.whole[idx(nodes[pos])] >= 0;
    if (in_loop) stored = stored || l.loop[stage / 2][pos].own >= 0 || l.loop[stage / 2][pos].rows >= 0;
    last[idx(nodes[pos])].stored = stored;
    if (stored) access(s.nodes[idx(nodes[pos])].owner, detail::bytes_moved(x, x, samples));
  }
  // Set `since` for the first access of a chunk to each value. For a whole value, `since` is the
  // traffic of one chunk, because the previous chunk has accessed the value. For a per-sample
  // value, `since` is the traffic of a whole batch, because the samples of a chunk are new to the
  // loop.
  const detail::per_chunk cost{moved.for_samples(samples), 0};
  for (std::size_t k = 0; k < first_of_all.size(); ++k)
    if (first_of_all[k] != 0) accesses_[first_access + k].since = first_of_all[k] == 2 ? cost : moved;
  ends_.push_back(kernels_.size());
}

/// The estimated time of each node if it runs alone and computes the whole batch at once. The
/// planner uses these times to choose the values that are computed again.
class cost_model {
 public:
  constexpr cost_model() = default;
  constexpr cost_model(const builder& b, const machine& m) {
    seconds_.reserve(b.nodes.size());
    for (const graph_node& x : b.nodes) {
      seconds_.push_back(0);
      if (!detail::is_computed(x)) continue;
      auto bytes = static_cast<double>(x.dims.bytes());
      for (int k = 0; k < x.operand_count; ++k)
        if (x.reads(k)) bytes += static_cast<double>(b.node(x.operands[static_cast<std::size_t>(k)]).dims.bytes());
      seconds_.back() =
          m.seconds_per_call + m.seconds_on_threads(x.cost.flops / m.flops + bytes * m.seconds_per_byte(bytes));
    }
  }
  constexpr auto seconds(int node) const -> double { return seconds_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<double> seconds_;  // for each node
};

}  // namespace detail

}  // namespace koila::inline v0
