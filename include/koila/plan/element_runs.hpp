#pragma once
// Which element-wise values are computed together, tile by tile, by one kernel. Those that only it reads have no buffer.
#include <koila/plan/schedule.hpp>

namespace koila {

/// The most values that one kernel computes.
inline constexpr std::size_t most_in_run = 24;

namespace detail {

/// Whether values have as many elements along each dim, whatever the names of axes.
constexpr auto same_extents(const dims& a, const dims& b) -> bool {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.e[i].n != b.e[i].n) return false;
  return true;
}

}  // namespace detail

/// Whether a node is computed from elements by koila's kernels: its op has a function of them, and all that it reads is of its own dtype.
constexpr auto is_of_elements(const builder& b, const gnode& x) -> bool {
  if (!b.fuses || x.is != kind::compute || x.op == nullptr || !includes(x.op->elements_in, x.d.type)) return false;
  if (x.r.is == relation::partial || (x.op->has_elements != nullptr && !x.op->has_elements(x.attributes.get()))) return false;
  for (int k = 0; k < x.n_in; ++k)
    if (b.at(x.in[static_cast<std::size_t>(k)]).d.type != x.d.type) return false;
  return true;
}

/// The runs of a loop's body or a section: nodes of elements one after the other, of the same dims, each of which reads what one before
/// it computes or reads.
struct element_runs {
  std::vector<int> first, last;  ///< position -> the first and the last position of its run; itself where it is in none

  constexpr auto together(std::size_t p) const -> bool { return first[p] != last[p]; }

  KOILA_COLD constexpr element_runs(const builder& b, const std::vector<int>& nodes, const std::vector<int>& owner) {
    first.reserve(nodes.size());
    last.reserve(nodes.size());
    for (std::size_t p = 0; p < nodes.size(); ++p) first.push_back(static_cast<int>(p)), last.push_back(static_cast<int>(p));
    std::vector<std::size_t> run;
    const auto close = [&] {
      for (const std::size_t p : run) first[p] = static_cast<int>(run.front()), last[p] = static_cast<int>(run.back());
      run.clear();
    };
    for (std::size_t p = 0; p < nodes.size(); ++p) {
      const gnode& x = b.at(nodes[p]);
      if (x.is_view() || x.is == kind::number) continue;
      if (!is_of_elements(b, x)) {
        close();
        continue;
      }
      if (!run.empty() && !joins(b, nodes, owner, run, nodes[p])) close();
      run.push_back(p);
    }
    close();
  }

 private:
  /// Whether a node of elements may be computed with a run. What it reads through a view may lie in another order than it is computed.
  static constexpr auto joins(const builder& b, const std::vector<int>& nodes, const std::vector<int>& owner,
                              const std::vector<std::size_t>& run, int node) -> bool {
    const gnode& x = b.at(node);
    const gnode& one = b.at(nodes[run.front()]);
    if (run.size() == most_in_run || x.r != one.r || x.d.type != one.d.type || !detail::same_extents(x.d, one.d)) return false;
    bool connected = false;
    for (int k = 0; k < x.n_in; ++k) {
      const int j = x.in[static_cast<std::size_t>(k)];
      for (const std::size_t p : run) {
        const gnode& y = b.at(nodes[p]);
        if (owner[static_cast<std::size_t>(j)] == nodes[p] && j != nodes[p]) return false;
        connected = connected || j == nodes[p];
        for (int i = 0; i < y.n_in; ++i) connected = connected || y.in[static_cast<std::size_t>(i)] == j;
      }
    }
    return connected;
  }
};

}  // namespace koila
