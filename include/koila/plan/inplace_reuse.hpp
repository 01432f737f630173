#pragma once
// What a kernel of elements is the last to read: another value that it computes may be written over
// it, element by element.
#include <koila/plan/arena.hpp>
#include <koila/plan/fusion_groups.hpp>

namespace koila {

/// The buffers that one kernel of elements is the last to read, and that it may write over.
class inplace_reuse {
 public:
  constexpr inplace_reuse() = default;
  /// Of the kernel from position `first` of `nodes` on, whose last step is `end`. `range_of`: of a
  /// node whose value is there before, or -1. What is read through a view, or as a sum when all is
  /// computed, is not among them: an element of it may be read after one of another value is
  /// written. What ends before was computed again since, in this kernel.
  template <class RangeOf>
  constexpr inplace_reuse(const builder& b, const std::vector<int>& owner, const std::vector<int>& nodes,
                          const fusion_groups& runs, std::size_t first, int end, const std::vector<live_range>& ranges,
                          const RangeOf& range_of) {
    const graph_node& leader = b.at(nodes[first]);
    for (std::size_t p = first; p <= static_cast<std::size_t>(runs.last[first]); ++p) {
      const graph_node& x = b.at(nodes[p]);
      if (runs.first[p] != static_cast<int>(first) || x.is_view()) continue;
      for (int k = 0; k < x.n_in; ++k) {
        if (!x.reads(k)) continue;
        const int j = x.in[static_cast<std::size_t>(k)], of = owner[static_cast<std::size_t>(j)], range = range_of(of);
        if (range < 0) continue;
        buffer& d = noted(range, ranges[static_cast<std::size_t>(range)].end == end);
        d.last = p;
        d.free = d.free && j == of && is_of_elements(b, x) && fusion_groups::alike(b.at(j), leader);
      }
    }
  }

  /// A range that the value of this position may be written over, which then is no longer among
  /// them; -1: there is none.
  constexpr auto take(std::size_t position) -> int {
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
    std::size_t last;  // the position that reads it last
    bool free;
  };
  std::vector<buffer> buffers_;

  constexpr auto noted(int range, bool dies) -> buffer& {
    for (buffer& d : buffers_)
      if (d.range == range) return d;
    buffers_.push_back({range, 0, dies});
    return buffers_.back();
  }
};

}  // namespace koila
