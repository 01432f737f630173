#pragma once
// How long a plan will take: a model of calls, arithmetic and memory traffic, to choose among
// chunks that fit.
#include <koila/plan/lifetimes.hpp>

namespace koila {

/// What the model assumes of a machine. Defaults measured on one core of an AMD Zen 5; see
/// docs/performance.md.
struct machine {
  double seconds_per_call = 1.5e-6;        ///< one operator on small tensors
  double flops = 1e11;                     ///< of large matrix products, per second
  double rows_of_half_speed = 12;  ///< a product of so few rows runs at half of that; each sample may have several
  double elements = 2e9;  ///< operations of koila's kernels on elements, per second
  double threads = 1;  ///< that the speeds are those of
  double seconds_per_team = 0;  ///< until all threads have begun and ended: a kernel that is worth it pays for them
  double bytes_in_cache = 1.0e6;  ///< of the cores' own caches
  double bandwidth_in_cache = 4e10;  ///< bytes per second
  double bytes_in_shared_cache = 1.6e7;  ///< the next level, as far as it is this program's
  double bandwidth_in_shared_cache = 2.5e10;  ///< bytes per second
  double bandwidth_of_memory = 1.2e10;  ///< bytes per second
  double min_speedup = 0.05;  ///< a batch is not split for less; negative: it is split where that costs less
  double alike =
      0;  ///< of chunks that take at most this part longer than the fastest, those of the least memory are taken
  friend constexpr auto operator==(const machine&, const machine&) -> bool = default;

  /// Whether plans can be compared by it.
  constexpr auto is_usable() const -> bool {
    for (const double x : {seconds_per_call, flops, elements, bytes_in_cache, bandwidth_in_cache, bytes_in_shared_cache,
                           bandwidth_in_shared_cache, bandwidth_of_memory})
      if (!(x > 0) || x > 1e300) return false;  // nor NaN
    return rows_of_half_speed >= 0 && threads >= 1 && threads < 1e6 && seconds_per_team >= 0 &&
           seconds_per_team < 1e300 && min_speedup > -1 && min_speedup < 1 && alike >= 0 && alike < 1;
  }
  /// What takes so many seconds on all threads, on as many as are faster: all, or one.
  constexpr auto seconds_on_threads(double seconds) const -> double {
    return std::min(seconds * threads, seconds + seconds_per_team);
  }
  /// Seconds to move a byte where so many were moved since it was touched last.
  constexpr auto seconds_per_byte(double since) const -> double {
    return 1 / (since <= bytes_in_cache          ? bandwidth_in_cache
                : since <= bytes_in_shared_cache ? bandwidth_in_shared_cache
                                                 : bandwidth_of_memory);
  }
};

namespace detail {

/// A number that has a part for each chunk and one for each of its samples.
struct per_chunk {
  double fixed = 0, per_sample = 0;
  constexpr auto at(double samples) const -> double { return fixed + per_sample * samples; }
  constexpr auto operator+(const per_chunk& o) const -> per_chunk {
    return {fixed + o.fixed, per_sample + o.per_sample};
  }
  constexpr auto operator-(const per_chunk& o) const -> per_chunk {
    return {fixed - o.fixed, per_sample - o.per_sample};
  }
};

/// Whether a kernel runs for a node.
constexpr auto is_computed(const graph_node& x) -> bool {
  return !x.is_view() && x.is != kind::leaf && x.is != kind::number;
}

/// What one kernel computes: a node, or a run of elements.
struct kernel_work {
  per_chunk flops, elements;
  double rows_per_sample = 0;  ///< the most that a value of it has
  std::size_t position = 0;  ///< of its first node
  std::size_t last_access = 0;  ///< the end of its part of the list of all
};
/// What a kernel reads or writes, and the bytes that were moved since that was touched last, itself
/// included: where these fit into a cache, it is still there.
struct memory_access {
  per_chunk bytes, since;
};

/// Adds a node to what its kernel computes.
KOILA_COLD constexpr void add_work(kernel_work& k, const builder& b, const graph_node& x, double samples) {
  bool sampled = false;
  const auto look = [&](const graph_node& y) {
    if (!y.r.sampled()) return;
    sampled = true;
    const int columns = y.d.rank - 1;
    const auto row = static_cast<double>(columns > y.r.axis && y.d.e[columns].n > 0 ? y.d.e[columns].n : 1);
    k.rows_per_sample = std::max(k.rows_per_sample, static_cast<double>(y.d.count()) / row / samples);
  };
  look(x);
  for (int i = 0; i < x.n_in; ++i)
    if (x.reads(i)) look(b.at(x.in[static_cast<std::size_t>(i)]));
  const bool elements = x.op != nullptr && x.op->row == nullptr && x.op->elements_in != element_dtypes::none;
  per_chunk& f = elements || (x.op != nullptr && x.op->sums != nullptr) ? k.elements : k.flops;
  if (sampled) f.per_sample += x.cost.flops / samples;
  else f.fixed += x.cost.flops;
}
/// The bytes of a value that are moved where it is read or written. `owner`: whose storage it is.
constexpr auto bytes_moved(const graph_node& y, const graph_node& owner, double samples) -> per_chunk {
  const auto n = static_cast<double>(std::min(y.d.bytes(), owner.d.bytes()));
  const bool rows = y.r.sampled() && (owner.r.sampled() || y.d.bytes() <= owner.d.bytes());  // not of what is repeated
  if (rows) return {0, n / samples};
  return {n, 0};
}

}  // namespace detail

/// The kernels of a schedule: what they compute and move in its sections and in a chunk of its
/// loops. Built once for all chunk sizes.
class schedule_work {
 public:
  /// `l`: the schedule's buffers; what has none is read by the kernel alone that computes it.
  constexpr schedule_work(const builder& b, const schedule& s, const lifetimes& l, index_t batch);

  /// Calls f(position, seconds) for every kernel of a section, and of one chunk of a loop.
  template <class F>
  constexpr void each_of_section(std::size_t l, const machine& m, F f) const {
    each(2 * l, batch_, m, f);
  }
  template <class F>
  constexpr void each_of_chunk(std::size_t l, index_t chunk, const machine& m, F f) const {
    each(2 * l + 1, chunk, m, f);
  }
  constexpr auto seconds_of_sections(const machine& m) const -> double {
    double all = 0;
    for (std::size_t p = 0; p < ends_.size(); p += 2) all += seconds_of_part(p, batch_, m);
    return all;
  }
  /// Of all chunks of a loop.
  constexpr auto seconds_of_loop(std::size_t l, index_t chunk, const machine& m) const -> double {
    const index_t chunks = batch_ > 0 ? chunks_of(batch_, std::clamp<index_t>(chunk, 1, batch_)) : 1;
    return static_cast<double>(chunks) * seconds_of_part(2 * l + 1, chunk, m);
  }
  /// Of the whole schedule, with so many samples per chunk of each loop.
  constexpr auto seconds(const std::vector<index_t>& chunks, const machine& m) const -> double {
    double all = seconds_of_sections(m);
    for (std::size_t l = 0; l < chunks.size(); ++l) all += seconds_of_loop(l, chunks[l], m);
    return all;
  }

 private:
  struct touched {
    int kernel = -1;  // that touched it last
    detail::per_chunk before = {};  // what its part had moved by then
    bool stored = true;
  };
  index_t batch_;
  std::vector<detail::kernel_work> kernels_;
  std::vector<detail::memory_access> accesses_;
  std::vector<std::size_t> ends_;  // of the kernels of each part: section, loop, section, ...

  constexpr void add_part(const builder& b, const schedule& s, const lifetimes& l, std::size_t part,
                          std::vector<touched>& last);
  constexpr auto first_of(std::size_t part) const -> std::size_t { return part == 0 ? 0 : ends_[part - 1]; }
  template <class F>
  constexpr void each(std::size_t part, index_t chunk, const machine& m, const F& f) const {
    for (std::size_t k = first_of(part); k < ends_[part]; ++k) f(kernels_[k].position, seconds_of_kernel(k, chunk, m));
  }
  constexpr auto seconds_of_part(std::size_t part, index_t chunk, const machine& m) const -> double {
    double all = 0;
    for (std::size_t k = first_of(part); k < ends_[part]; ++k) all += seconds_of_kernel(k, chunk, m);
    return all;
  }
  constexpr auto seconds_of_kernel(std::size_t k, index_t chunk, const machine& m) const -> double {
    const auto c = static_cast<double>(std::max<index_t>(1, std::min(chunk, batch_)));
    const detail::kernel_work& x = kernels_[k];
    double seconds = x.elements.at(c) / m.elements;
    for (std::size_t a = k == 0 ? 0 : kernels_[k - 1].last_access; a < x.last_access; ++a)
      seconds += accesses_[a].bytes.at(c) * m.seconds_per_byte(accesses_[a].since.at(c));
    const double rows = c * x.rows_per_sample;
    const double slow = x.flops.per_sample > 0 && rows > 0 ? 1 + m.rows_of_half_speed / rows : 1;
    return m.seconds_per_call + m.seconds_on_threads(seconds + x.flops.at(c) / m.flops * slow);
  }
};

KOILA_COLD constexpr schedule_work::schedule_work(const builder& b, const schedule& s, const lifetimes& l,
                                                  index_t batch)
    : batch_(batch) {
  std::vector<touched> last;
  last.reserve(b.nodes.size());
  for (std::size_t i = 0; i < b.nodes.size(); ++i) last.push_back({});
  for (std::size_t p = 0; p < 2 * static_cast<std::size_t>(s.loops) + 1; ++p) add_part(b, s, l, p, last);
}

KOILA_COLD constexpr void schedule_work::add_part(const builder& b, const schedule& s, const lifetimes& l,
                                                  std::size_t part, std::vector<touched>& last) {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  const bool in_loop = part % 2 == 1;
  const std::vector<int>& nodes = in_loop ? s.loop_of[part / 2].body : s.section[part / 2];
  const fusion_groups& runs = in_loop ? l.loop_runs[part / 2] : l.section_runs[part / 2];
  const double samples = batch_ > 0 ? static_cast<double>(batch_) : 1.0;
  const auto first_kernel = static_cast<int>(kernels_.size());
  const std::size_t first_access = accesses_.size();
  detail::per_chunk moved;
  std::vector<char>
      first_of_all;  // access of this part -> nothing before it in this part touches that: 1, of samples 2
  const auto access = [&](int node, const detail::per_chunk& bytes) {
    touched& t = last[idx(node)];
    const int kernel = static_cast<int>(kernels_.size()) - 1;
    if (t.kernel == kernel) return;
    const bool before = t.kernel >= first_kernel;
    first_of_all.push_back(before ? 0 : b.at(node).r.sampled() ? 2 : 1);
    accesses_.push_back({bytes, before ? moved - t.before + bytes : detail::per_chunk()});
    t.kernel = kernel;
    t.before = moved;
    moved = moved + bytes;
    kernels_.back().last_access = accesses_.size();
  };
  int run = -1;  // where that of the last kernel begins
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    const graph_node& x = b.at(nodes[p]);
    if (!detail::is_computed(x)) continue;
    if (!runs.together(p) || runs.first[p] != run) {
      kernels_.push_back({});
      kernels_.back().position = p;
      kernels_.back().last_access = accesses_.size();
    }
    run = runs.together(p) ? runs.first[p] : -1;
    detail::add_work(kernels_.back(), b, x, samples);
    for (int k = 0; k < x.n_in; ++k) {
      if (!x.reads(k)) continue;
      const int y = x.in[idx(k)], o = s.owner[idx(y)];
      if (last[idx(o)].stored) access(o, detail::bytes_moved(b.at(y), b.at(o), samples));
    }
    bool stored = l.whole[idx(nodes[p])] >= 0;
    if (in_loop) stored = stored || l.loop[part / 2][p].own >= 0 || l.loop[part / 2][p].rows >= 0;
    last[idx(nodes[p])].stored = stored;
    if (stored) access(s.owner[idx(nodes[p])], detail::bytes_moved(x, x, samples));
  }
  // What a chunk finds of the one before it: whole values, with all of one chunk in between.
  // Samples are new; they were touched when all of the batch was last.
  const detail::per_chunk all{moved.at(samples), 0};
  for (std::size_t k = 0; k < first_of_all.size(); ++k)
    if (first_of_all[k] != 0) accesses_[first_access + k].since = first_of_all[k] == 2 ? all : moved;
  ends_.push_back(kernels_.size());
}

/// About what each node of a graph costs by itself, for the whole batch at once: to choose what is
/// computed again.
class cost_model {
 public:
  constexpr cost_model() = default;
  KOILA_COLD constexpr cost_model(const builder& b, const machine& m) {
    seconds_.reserve(b.nodes.size());
    for (const graph_node& x : b.nodes) {
      seconds_.push_back(0);
      if (!detail::is_computed(x)) continue;
      auto bytes = static_cast<double>(x.d.bytes());
      for (int k = 0; k < x.n_in; ++k)
        if (x.reads(k)) bytes += static_cast<double>(b.at(x.in[static_cast<std::size_t>(k)]).d.bytes());
      seconds_.back() =
          m.seconds_per_call + m.seconds_on_threads(x.cost.flops / m.flops + bytes * m.seconds_per_byte(bytes));
    }
  }
  constexpr auto seconds(int node) const -> double { return seconds_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<double> seconds_;  // of each node
};

}  // namespace koila
