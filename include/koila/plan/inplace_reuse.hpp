// SPDX-License-Identifier: MIT
#pragma once
// In-place reuse: which operands an element-wise kernel may overwrite with one of its results.
#include <koila/plan/arena.hpp>
#include <koila/plan/fusion_groups.hpp>

namespace koila::inline v0::detail {

/// The buffers whose last reader is one element-wise kernel. Each buffer may be reused once, for
/// a result of the kernel.
class inplace_reuse {
 public:
  constexpr inplace_reuse() = default;
  /// Collects the buffers for the kernel that starts at position `first` of `nodes` and whose
  /// last step is `end`. For a node that is computed before the kernel, `range_of(node)` must
  /// return the index of the node's live range. For other nodes it must return -1.
  ///
  /// Operands read through a view, and operands of sums, are excluded, because the kernel may
  /// still need an element that the result would overwrite. A buffer whose range ends before
  /// `end` is excluded, too, because this kernel computes the buffer's value again.
  template <class RangeOf>
  constexpr inplace_reuse(const builder& b, const scheduled_nodes& scheduled, const std::vector<int>& nodes,
                          const fusion_groups& runs, std::size_t first, int end, const std::vector<live_range>& ranges,
                          const RangeOf& range_of) {
    const graph_node& leader = b.node(nodes[first]);
    for (std::size_t pos = first; pos <= static_cast<std::size_t>(runs.last[first]); ++pos) {
      const graph_node& x = b.node(nodes[pos]);
      if (runs.first[pos] != static_cast<int>(first) || x.is_view()) continue;
      for (int k = 0; k < x.operand_count; ++k) {
        if (!x.reads(k)) continue;
        const int j = x.operands[static_cast<std::size_t>(k)], of = scheduled[static_cast<std::size_t>(j)].owner,
                  range = range_of(of);
        if (range < 0) continue;
        buffer& d = record(range, ranges[static_cast<std::size_t>(range)].end == end);
        d.last = pos;
        d.free = d.free && j == of && is_of_elements(b, x) && fusion_groups::compatible(b.node(j), leader);
      }
    }
  }

  /// Claims a buffer that the value at `position` may overwrite. Returns the index of the
  /// buffer's live range, or -1 if no buffer is free at this position.
  constexpr auto claim(std::size_t position) -> int {
    for (buffer& d : buffers_)
      if (d.free && d.last <= position) {
        d.free = false;
        return d.range;
      }
    return -1;
  }

 private:
  struct buffer {
    int range;
    std::size_t last;  // the last position that reads the buffer
    bool free;
  };
  std::vector<buffer> buffers_;

  constexpr auto record(int range, bool dies) -> buffer& {
    for (buffer& d : buffers_)
      if (d.range == range) return d;
    buffers_.push_back({range, 0, dies});
    return buffers_.back();
  }
};

}  // namespace koila::inline v0::detail
