#pragma once
// Which values, element-wise or of rows, and sums of them, are computed together, tile by tile, by
// one kernel. Values that only it reads have no buffer.
#include <koila/plan/schedule.hpp>
#include <koila/shape/sums.hpp>

namespace koila {

/// The most values that one kernel computes.
inline constexpr std::size_t most_in_run = 24;
/// Bytes of the tiles of one kernel, on the stack of each thread.
inline constexpr index_t most_bytes_of_tiles = 80 << 10;

/// Elements of the rows of which a node computes its elements, each of its whole row; 0 of other
/// ops, and of rows that do not lie together.
constexpr auto row_of(const builder& b, const graph_node& x) -> index_t {
  if (x.op == nullptr || x.op->row == nullptr) return 0;
  dims in[most_operands];
  for (int k = 0; k < std::min(x.n_in, most_operands); ++k) in[k] = b.at(x.in[static_cast<std::size_t>(k)]).d;
  return x.op->row(in, x.attributes.get());
}

/// The most tiles that a node takes of a kernel: its value, and what it reads, which may be spread
/// or broadcast, but not one row for all.
constexpr auto tiles_of(const builder& b, const graph_node& x) -> index_t {
  const bool rows = row_of(b, x) > 0;
  index_t n = 1;
  for (int k = 0; k < x.n_in; ++k)
    n += rows && !detail::same_extents(b.at(x.in[static_cast<std::size_t>(k)]).d, x.d) ? 0 : 1;
  return n;
}

/// Whether there is room for so many tiles of whole rows.
constexpr auto has_room(index_t row, dtype t, index_t tiles) -> bool {
  return row * bytes_of(t) * tiles <= most_bytes_of_tiles;
}

/// Whether a node is computed from elements by koila's kernels: its op has a function of them, and
/// all that it reads is of its own dtype, or, where that has 16 bits, a number of float32 or
/// float64 that has no more. Of rows where they are short, in float32 and float64.
constexpr auto is_of_elements(const builder& b, const graph_node& x) -> bool {
  if (!b.fuses || x.is != kind::compute || x.op == nullptr || !includes(x.op->elements_in, x.d.type)) return false;
  if (x.r.is == relation::partial || (x.op->has_elements != nullptr && !x.op->has_elements(x.attributes.get())))
    return false;
  if (x.op->row != nullptr) {
    const index_t row = row_of(b, x);
    if (row <= 0 || computed_in(x.d.type) != x.d.type || !has_room(row, x.d.type, tiles_of(b, x))) return false;
  }
  for (int k = 0; k < x.n_in; ++k) {
    const graph_node& y = b.at(x.in[static_cast<std::size_t>(k)]);
    if (y.d.type == x.d.type) continue;
    const bool number = y.is == kind::number && (y.d.type == dtype::float32 || y.d.type == dtype::float64);
    if (!number || computed_in(x.d.type) == x.d.type || !is_one_of_16_bits(x.d.type, y.number)) return false;
  }
  return true;
}

/// Over which dims of its first operand a node is the sum, as bits.
constexpr auto summed_dims(const builder& b, const graph_node& x) -> unsigned {
  dims in[most_operands];
  for (int k = 0; k < std::min(x.n_in, most_operands); ++k) in[k] = b.at(x.in[static_cast<std::size_t>(k)]).d;
  return x.op->sums(in, x.d, x.attributes.get());
}

/// Whether a node is a sum that the kernel which computes its operand can add up: float32 and
/// float64, as the operand has them. (Sums of 16 bits have float32 of their own.)
constexpr auto is_sum_of_elements(const builder& b, const graph_node& x) -> bool {
  if (!b.fuses || x.is != kind::compute || x.op == nullptr || x.op->sums == nullptr) return false;
  const graph_node& of = b.at(x.in[0]);
  if (x.d.type != of.d.type || (x.d.type != dtype::float32 && x.d.type != dtype::float64) || of.d.rank == 0)
    return false;
  const sum_shape s = sum_shape_of(of.d, summed_dims(b, x));
  return s.regular && added_up_in(s) <= most_sums;
}

/// The runs of a loop's body or a section: nodes of elements one after the other, of the same dims,
/// each of which reads what one before it computes or reads, or is read beside that by the next;
/// and among them the sums of these, which none of them reads. Where there are nodes of rows their
/// rows are alike, and tiles have whole ones: so there are no sums whose parts are to be the same
/// tiles everywhere.
struct fusion_groups {
  std::vector<int> first, last;  ///< position -> the first and the last position of its run; itself where it is in none

  constexpr auto together(std::size_t p) const -> bool { return first[p] != last[p]; }
  /// Whether the node at a position is computed by a kernel of elements: one of rows alone has a
  /// kernel of its own, which takes more of them at once.
  constexpr auto computes(const builder& b, const graph_node& x, std::size_t p) const -> bool {
    return is_of_elements(b, x) && (x.op->row == nullptr || together(p));
  }

  KOILA_COLD constexpr fusion_groups(const builder& b, const std::vector<int>& nodes, const std::vector<int>& owner) {
    first.reserve(nodes.size());
    last.reserve(nodes.size());
    for (std::size_t p = 0; p < nodes.size(); ++p)
      first.push_back(static_cast<int>(p)), last.push_back(static_cast<int>(p));
    open_run run;
    const auto close = [&] {
      for (const std::size_t p : run.at)
        first[p] = static_cast<int>(run.at.front()), last[p] = static_cast<int>(run.at.back());
      run = {};
    };
    for (std::size_t p = 0; p < nodes.size(); ++p) {
      const graph_node& x = b.at(nodes[p]);
      if (x.is_view() || x.is == kind::number) continue;
      const bool sum = is_sum_of_elements(b, x);
      if (!run.at.empty() &&
          (sum ? adds_up(b, nodes, owner, run, nodes[p]) : is_of_elements(b, x) && joins(b, nodes, owner, run, p))) {
        run.take(b, x, p, sum);
        continue;
      }
      if (open_run rest = sum ? after_rows(b, nodes, run) : open_run();
          !rest.at.empty() && adds_up(b, nodes, owner, rest, nodes[p])) {
        run.at.resize(run.at.size() - rest.at.size());
        close();
        run = std::move(rest);
        run.take(b, x, p, sum);
        continue;
      }
      close();
      if (!is_of_elements(b, x)) continue;
      run.take(b, x, p, false);
    }
    close();
  }

  /// Whether values may be computed together.
  static constexpr auto alike(const graph_node& x, const graph_node& y) -> bool {
    return x.r == y.r && x.d.type == y.d.type && detail::same_extents(x.d, y.d);
  }

 private:
  struct open_run {
    std::vector<std::size_t> at;  // positions; the first is of elements
    index_t sums = 0;  // elements that all sums are added up in
    index_t row = 0;  // of its nodes of rows
    index_t tiles = 0;  // that it may take

    constexpr void take(const builder& b, const graph_node& x, std::size_t p, bool sum) {
      at.push_back(p);
      if (sum) sums += added_up_in(sum_shape_of(b.at(x.in[0]).d, summed_dims(b, x)));
      else row = std::max(row, row_of(b, x)), tiles += tiles_of(b, x);
    }
  };
  using list = std::vector<int>;

  /// What comes after the nodes of rows of a run, which a sum may be added up with that has other
  /// tiles; nothing where there are sums.
  static constexpr auto after_rows(const builder& b, const list& nodes, const open_run& run) -> open_run {
    open_run rest;
    if (run.row == 0 || run.sums > 0) return rest;
    for (const std::size_t p : run.at) {
      if (row_of(b, b.at(nodes[p])) > 0) rest.at.clear();
      else rest.at.push_back(p);
    }
    for (const std::size_t p : rest.at) rest.tiles += tiles_of(b, b.at(nodes[p]));
    return rest;
  }

  /// Whether a run computes or reads an operand: 1, or 0; -1: it must not be read beside what the
  /// run computes. Through a view a value may be read in another order than it is computed in, and
  /// a sum is there when all is done.
  static constexpr auto has(const builder& b, const list& nodes, const list& owner, const open_run& run, int operand)
      -> int {
    bool there = false;
    for (const std::size_t p : run.at) {
      const graph_node& y = b.at(nodes[p]);
      if (owner[static_cast<std::size_t>(operand)] == nodes[p] && (operand != nodes[p] || y.op->elements == nullptr))
        return -1;
      there = there || operand == nodes[p];
      for (int i = 0; i < y.n_in; ++i) there = there || (y.reads(i) && y.in[static_cast<std::size_t>(i)] == operand);
    }
    return there ? 1 : 0;
  }
  /// Whether the node at a position, of elements, may be computed with a run: it reads what the run
  /// has, or what comes next joins both.
  static constexpr auto joins(const builder& b, const list& nodes, const list& owner, const open_run& run,
                              std::size_t p) -> bool {
    const graph_node& x = b.at(nodes[p]);
    const fit here = fits(b, nodes, owner, run, x);
    if (here != fit::apart) return here == fit::connected;
    std::size_t q = p + 1;
    while (q < nodes.size() && (b.at(nodes[q]).is_view() || b.at(nodes[q]).is == kind::number)) ++q;
    if (q == nodes.size()) return false;
    const graph_node& y = b.at(nodes[q]);
    bool reads_x = false;
    for (int k = 0; k < y.n_in; ++k) reads_x = reads_x || (y.reads(k) && y.in[static_cast<std::size_t>(k)] == nodes[p]);
    if (!reads_x || !is_of_elements(b, y) || fits(b, nodes, owner, run, y) != fit::connected) return false;
    open_run both = run;
    both.take(b, x, p, false);
    return fits(b, nodes, owner, both, y) == fit::connected;
  }
  enum class fit : signed char { no, apart, connected };
  /// Whether a node of elements may be computed with a run, and reads what this computes or reads.
  static constexpr auto fits(const builder& b, const list& nodes, const list& owner, const open_run& run,
                             const graph_node& x) -> fit {
    if (run.at.size() == most_in_run || !alike(x, b.at(nodes[run.at.front()]))) return fit::no;
    const index_t row = row_of(b, x), rows = std::max(row, run.row);
    if (row > 0 && run.row > 0 && row != run.row) return fit::no;
    if (!has_room(rows, x.d.type, run.tiles + tiles_of(b, x))) return fit::no;
    for (const std::size_t p : run.at)
      if (row > 0 && is_sum_of_elements(b, b.at(nodes[p])) && !is_in_tiles_of(b, b.at(nodes[p]), row)) return fit::no;
    bool connected = false;
    for (int k = 0; k < x.n_in; ++k) {
      const int there = has(b, nodes, owner, run, x.in[static_cast<std::size_t>(k)]);
      if (there < 0) return fit::no;
      connected = connected || there > 0;
    }
    return connected ? fit::connected : fit::apart;
  }
  /// Whether a sum may be added up in tiles of whole rows: one for each sample has tiles of its
  /// own, and so have parts of rows.
  static constexpr auto is_in_tiles_of(const builder& b, const graph_node& x, index_t row) -> bool {
    const index_t of = row_of_sum(sum_shape_of(b.at(x.in[0]).d, summed_dims(b, x)));
    return !x.r.sampled() && row <= most_in_tile && (of == 1 || of % row == 0);
  }
  /// Whether a sum may be added up with a run: of what it computes or reads.
  static constexpr auto adds_up(const builder& b, const list& nodes, const list& owner, const open_run& run, int node)
      -> bool {
    const graph_node& x = b.at(node);
    const graph_node& of = b.at(x.in[0]);
    if (run.at.size() == most_in_run || !alike(of, b.at(nodes[run.at.front()]))) return false;
    const sum_shape s = sum_shape_of(of.d, summed_dims(b, x));
    if (run.sums + added_up_in(s) > most_sums) return false;
    if (run.row > 0 && !is_in_tiles_of(b, x, run.row)) return false;
    return has(b, nodes, owner, run, x.in[0]) > 0;
  }
};

}  // namespace koila
