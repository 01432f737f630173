// SPDX-License-Identifier: MIT
#pragma once
// Chunk classes: groups of loops that must have the same chunk size, and the size that each class
// gets.
#include <koila/plan/cost.hpp>

namespace koila::inline v0::detail {

/// The time and memory of a loop for one chunk size.
struct loop_figures {
  double seconds = 0;     ///< the total time of all chunks
  index_t alive = 0;      ///< the maximum bytes alive over its steps
  kernel_workspace kernels;  ///< the largest workspace of its kernels

  /// Adds the seconds of `o`. Sets each memory figure to the larger of its own value and that of
  /// `o`.
  constexpr void include(const loop_figures& o) {
    seconds += o.seconds;
    alive = std::max(alive, o.alive);
    kernels.include(o.kernels);
  }
};

/// The time and memory of a schedule: of each loop, for each chunk size, and of the nodes outside
/// the loops. A chunk size is given as an index into the list of chunk sizes (see chunk_sizes).
class schedule_figures {
 public:
  constexpr schedule_figures(int loops, std::size_t sizes) : loops_(static_cast<std::size_t>(loops)), sizes_(sizes) {
    of_.reserve(loops_ * sizes_);
    for (std::size_t i = 0; i < loops_ * sizes_; ++i) of_.emplace_back();
  }
  constexpr auto figures(std::size_t loop, std::size_t size) -> loop_figures& { return of_[loop * sizes_ + size]; }
  constexpr auto figures(std::size_t loop, std::size_t size) const -> const loop_figures& {
    return of_[loop * sizes_ + size];
  }
  loop_figures outside;

  constexpr auto sizes() const -> std::size_t { return sizes_; }
  constexpr auto uniform(std::size_t size) const -> std::vector<std::size_t> {
    std::vector<std::size_t> out;
    for (std::size_t l = 0; l < loops_; ++l) out.push_back(size);
    return out;
  }
  /// Returns the figures of the whole schedule if loop l has the chunk size `size[l]`. The bytes
  /// alive in a loop do not depend on the chunk sizes of the other loops.
  constexpr auto with(const std::vector<std::size_t>& size) const -> loop_figures {
    loop_figures all = outside;
    for (std::size_t l = 0; l < loops_; ++l) all.include(figures(l, size[l]));
    return all;
  }
  /// Records the maximum bytes alive in each loop and outside the loops, for one chunk size.
  constexpr void note_alive(const schedule& s, const lifetimes& l, std::size_t size) {
    const std::vector<index_t> alive = alive_at(l.ranges);
    const auto most = [&](int begin, int end) {  // [begin, end)
      index_t bytes = 0;
      for (auto t = static_cast<std::size_t>(begin); t < std::min(static_cast<std::size_t>(end), alive.size()); ++t)
        bytes = std::max(bytes, alive[t]);
      return bytes;
    };
    int before = 0;
    for (std::size_t k = 0; k < loops_; ++k) {
      const int end = l.loop_begin[k] + 2 + static_cast<int>(s.loop_of[k].body.size());
      outside.alive = std::max(outside.alive, most(before, l.loop_begin[k]));
      figures(k, size).alive = most(l.loop_begin[k], end);
      before = end;
    }
    outside.alive = std::max(outside.alive, most(before, static_cast<int>(alive.size())));
  }

 private:
  std::size_t loops_, sizes_;
  std::vector<loop_figures> of_;
};

/// Returns, for each loop, the first loop of its class. All loops of a class get the same chunk
/// size. Two loops that compute the same value are in the same class, because the exact bits of a
/// value may depend on the chunk size. If the loops computed different bits, ReLU masks could
/// differ between them, for example, and gradients would be wrong.
constexpr auto chunk_classes(const builder& b, const schedule& s) -> std::vector<std::size_t> {
  std::vector<std::size_t> first;  // union-find: loop -> itself or an earlier loop of its class
  std::vector<int> loop_of;  // node -> the last loop so far that computes it, or -1
  loop_of.reserve(b.nodes.size());
  for (std::size_t i = 0; i < b.nodes.size(); ++i) loop_of.push_back(-1);
  const auto root = [&](std::size_t l) {
    while (first[l] != l) l = first[l] = first[first[l]];
    return l;
  };
  for (std::size_t l = 0; l < s.loop_of.size(); ++l) {
    first.push_back(l);
    for (const int i : s.loop_of[l].body) {
      if (!b.node(i).batch_relation.sampled() || b.node(i).is_view()) continue;
      const int before = std::exchange(loop_of[static_cast<std::size_t>(i)], static_cast<int>(l));
      if (before < 0) continue;
      const std::size_t x = root(static_cast<std::size_t>(before)), y = root(l);
      first[std::max(x, y)] = std::min(x, y);
    }
  }
  for (std::size_t l = 0; l < first.size(); ++l) first[l] = root(l);
  return first;
}

/// Returns the figures of each class for each chunk size, at the index of the first loop of the
/// class.
constexpr auto figures_of_classes(const schedule_figures& f, const std::vector<std::size_t>& first)
    -> schedule_figures {
  schedule_figures out(static_cast<int>(first.size()), f.sizes());
  for (std::size_t l = 0; l < first.size(); ++l)
    for (std::size_t k = 0; k < f.sizes(); ++k) out.figures(first[l], k).include(f.figures(l, k));
  return out;
}

/// Returns, for each loop, the fastest chunk size with which no loop of its class needs more
/// memory than `most`. A class keeps `size` if no such chunk size is faster.
constexpr auto fastest_sizes(const schedule_figures& classes, const std::vector<std::size_t>& first, std::size_t size,
                             const loop_figures& most) -> std::vector<std::size_t> {
  std::vector<std::size_t> out = classes.uniform(size);
  for (std::size_t l = 0; l < first.size(); ++l) {
    if (first[l] < l) {
      out[l] = out[first[l]];
      continue;
    }
    for (std::size_t k = 0; k < classes.sizes(); ++k) {
      const loop_figures& x = classes.figures(l, k);
      const bool fits = x.alive <= most.alive && x.kernels.within(most.kernels);
      if (fits && x.seconds < classes.figures(l, out[l]).seconds) out[l] = k;
    }
  }
  return out;
}

}  // namespace koila::inline v0::detail
