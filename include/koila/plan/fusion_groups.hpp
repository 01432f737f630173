// SPDX-License-Identifier: MIT
#pragma once
// Fusion groups. One kernel computes the element-wise and row-wise nodes of a group, and sums of
// their values, tile by tile. A value that only this kernel reads has no buffer.
#include <koila/plan/schedule.hpp>
#include <koila/shape/sums.hpp>

namespace koila::inline v0::detail {

/// Maximum number of nodes in one fusion group.
inline constexpr std::size_t most_in_run = 24;
/// Maximum size of all tiles of a kernel, in bytes. The tiles are on the stack of each thread.
inline constexpr index_t most_bytes_of_tiles = 80 << 10;

/// Returns the row length of a row-wise op, in elements. A row-wise op, such as a layer norm,
/// computes each element of its result from a whole row. Returns 0 for other ops, and if the rows
/// are not contiguous.
constexpr auto row_of(const builder& b, const graph_node& x) -> index_t {
  if (x.op == nullptr || x.op->row_length == nullptr) return 0;
  dims in[most_operands];
  for (int k = 0; k < std::min(x.operand_count, most_operands); ++k)
    in[k] = b.node(x.operands[static_cast<std::size_t>(k)]).dims;
  return x.op->row_length(in, x.attributes.get());
}

/// Returns the maximum number of tiles that a node needs in a kernel: one for its value and one
/// for each operand, which may be strided or broadcast. An operand of a row-wise op does not need
/// a tile if the operand is a single row that all samples share.
constexpr auto tiles_of(const builder& b, const graph_node& x) -> index_t {
  const bool rows = row_of(b, x) > 0;
  index_t n = 1;
  for (int k = 0; k < x.operand_count; ++k)
    n += rows && !detail::same_extents(b.node(x.operands[static_cast<std::size_t>(k)]).dims, x.dims) ? 0 : 1;
  return n;
}

/// Returns true if `tiles` tiles of one row each (`row` elements) fit in `most_bytes_of_tiles`.
constexpr auto has_room(index_t row, dtype type, index_t tiles) -> bool {
  return row * bytes_of(type) * tiles <= most_bytes_of_tiles;
}

/// Returns true if koila's element-wise kernels can compute the node. The op must have element
/// functions for the node's dtype, and the operands must have the same dtype as the node. A 16-bit
/// node may also read a float32 or float64 number that its dtype represents exactly. A row-wise
/// node must be float32 or float64, and its rows must be short enough for the tiles.
constexpr auto is_of_elements(const builder& b, const graph_node& x) -> bool {
  if (!b.fuses || x.kind != node_kind::compute || x.op == nullptr || !includes(x.op->elements_in, x.dims.type))
    return false;
  if (x.batch_relation.kind == batch_relation::partial ||
      (x.op->has_elements != nullptr && !x.op->has_elements(x.attributes.get())))
    return false;
  if (x.op->row_length != nullptr) {
    const index_t row = row_of(b, x);
    if (row <= 0 || computed_in(x.dims.type) != x.dims.type || !has_room(row, x.dims.type, tiles_of(b, x)))
      return false;
  }
  for (int k = 0; k < x.operand_count; ++k) {
    const graph_node& y = b.node(x.operands[static_cast<std::size_t>(k)]);
    if (y.dims.type == x.dims.type) continue;
    const bool number = y.kind == node_kind::number && (y.dims.type == dtype::float32 || y.dims.type == dtype::float64);
    if (!number || computed_in(x.dims.type) == x.dims.type || !is_one_of_16_bits(x.dims.type, y.number)) return false;
  }
  return true;
}

/// Returns the dims of the first operand over which the node sums, as a bit mask.
constexpr auto summed_dims(const builder& b, const graph_node& x) -> unsigned {
  dims in[most_operands];
  for (int k = 0; k < std::min(x.operand_count, most_operands); ++k)
    in[k] = b.node(x.operands[static_cast<std::size_t>(k)]).dims;
  return x.op->sums(in, x.dims, x.attributes.get());
}

/// Returns true if the node is a sum that the kernel of its operand can also compute. The node and
/// its operand must both be float32 or both be float64. 16-bit sums are excluded, because they
/// accumulate in float32.
constexpr auto is_sum_of_elements(const builder& b, const graph_node& x) -> bool {
  if (!b.fuses || x.kind != node_kind::compute || x.op == nullptr || x.op->sums == nullptr) return false;
  const graph_node& of = b.node(x.operands[0]);
  if (x.dims.type != of.dims.type || (x.dims.type != dtype::float32 && x.dims.type != dtype::float64) ||
      of.dims.rank == 0)
    return false;
  const sum_shape s = sum_shape_of(of.dims, summed_dims(b, x));
  return s.regular && added_up_in(s) <= most_sums;
}

/// The fusion groups of a loop's body or of a section.
///
/// A group consists of consecutive element-wise nodes with the same dims, and of sums. Each
/// element-wise node after the first must read a value that the group already computes or reads.
/// Alternatively, the next node must read both this node and such a value. The group must compute
/// or read the operand of each sum, and no node of the group may read the sum.
///
/// All row-wise nodes of a group must have the same row length. The tiles of such a group hold
/// whole rows, so the group excludes sums that need other tiles (see is_in_tiles_of).
struct fusion_groups {
  /// The first and the last position of each node's group. If a node has no group, both are the
  /// node's own position.
  std::vector<int> first, last;

  constexpr auto is_fused(std::size_t pos) const -> bool { return first[pos] != last[pos]; }
  /// Returns true if koila's element-wise kernels compute node `x` at position `pos`. A row-wise
  /// node outside groups has its own kernel, which processes more rows at a time.
  constexpr auto computes(const builder& b, const graph_node& x, std::size_t pos) const -> bool {
    return is_of_elements(b, x) && (x.op->row_length == nullptr || is_fused(pos));
  }

  constexpr fusion_groups(const builder& b, const std::vector<int>& nodes, const scheduled_nodes& scheduled) {
    first.reserve(nodes.size());
    last.reserve(nodes.size());
    for (std::size_t pos = 0; pos < nodes.size(); ++pos)
      first.push_back(static_cast<int>(pos)), last.push_back(static_cast<int>(pos));
    open_run run;
    const auto close = [&] {
      for (const std::size_t pos : run.positions)
        first[pos] = static_cast<int>(run.positions.front()), last[pos] = static_cast<int>(run.positions.back());
      run = {};
    };
    for (std::size_t pos = 0; pos < nodes.size(); ++pos) {
      const graph_node& x = b.node(nodes[pos]);
      if (x.is_view() || x.kind == node_kind::number) continue;
      const bool is_sum = is_sum_of_elements(b, x);
      if (!run.positions.empty() && (is_sum ? adds_up(b, nodes, scheduled, run, nodes[pos])
                                            : is_of_elements(b, x) && joins(b, nodes, scheduled, run, pos))) {
        run.add(b, x, pos, is_sum);
        continue;
      }
      if (open_run rest = is_sum ? after_rows(b, nodes, run) : open_run();
          !rest.positions.empty() && adds_up(b, nodes, scheduled, rest, nodes[pos])) {
        run.positions.resize(run.positions.size() - rest.positions.size());
        close();
        run = std::move(rest);
        run.add(b, x, pos, is_sum);
        continue;
      }
      close();
      if (!is_of_elements(b, x)) continue;
      run.add(b, x, pos, false);
    }
    close();
  }

  /// Returns true if two nodes have the same batch relation, dtype and extents. All element-wise
  /// nodes of a group must be compatible with each other.
  static constexpr auto compatible(const graph_node& x, const graph_node& y) -> bool {
    return x.batch_relation == y.batch_relation && x.dims.type == y.dims.type && detail::same_extents(x.dims, y.dims);
  }

 private:
  struct open_run {
    std::vector<std::size_t> positions;  // positions; the first is an element-wise node
    index_t sums = 0;  // elements of the accumulators of all its sums
    index_t row_length = 0;  // row length of its row-wise nodes, or 0
    index_t tiles = 0;  // maximum number of tiles that the group needs

    constexpr void add(const builder& b, const graph_node& x, std::size_t pos, bool is_sum) {
      positions.push_back(pos);
      if (is_sum) sums += added_up_in(sum_shape_of(b.node(x.operands[0]).dims, summed_dims(b, x)));
      else row_length = std::max(row_length, row_of(b, x)), tiles += tiles_of(b, x);
    }
  };
  using list = std::vector<int>;

  /// Returns the nodes of a group after its last row-wise node. A sum that cannot be computed from
  /// tiles of whole rows may still be fused with these nodes. Returns an empty group if the given
  /// group has sums or has no row-wise nodes.
  static constexpr auto after_rows(const builder& b, const list& nodes, const open_run& run) -> open_run {
    open_run rest;
    if (run.row_length == 0 || run.sums > 0) return rest;
    for (const std::size_t pos : run.positions) {
      if (row_of(b, b.node(nodes[pos])) > 0) rest.positions.clear();
      else rest.positions.push_back(pos);
    }
    for (const std::size_t pos : rest.positions) rest.tiles += tiles_of(b, b.node(nodes[pos]));
    return rest;
  }

  /// Returns 1 if a group computes or reads `operand`, else 0. Returns -1 if a node that reads
  /// `operand` cannot join the group, because `operand` is a sum of the group or a view of a value
  /// of the group. A sum is complete only at the end of the kernel. The order of the elements in a
  /// view may differ from the order in which the kernel computes them.
  static constexpr auto has(const builder& b, const list& nodes, const scheduled_nodes& scheduled, const open_run& run,
                            int operand) -> int {
    bool there = false;
    for (const std::size_t pos : run.positions) {
      const graph_node& y = b.node(nodes[pos]);
      if (scheduled[static_cast<std::size_t>(operand)].owner == nodes[pos] &&
          (operand != nodes[pos] || y.op->elements == nullptr))
        return -1;
      there = there || operand == nodes[pos];
      for (int i = 0; i < y.operand_count; ++i)
        there = there || (y.reads(i) && y.operands[static_cast<std::size_t>(i)] == operand);
    }
    return there ? 1 : 0;
  }
  /// Returns true if the element-wise node at position `pos` may join a group. The node must read
  /// a value that the group computes or reads, or the next node must read such a value and the
  /// node itself.
  static constexpr auto joins(const builder& b, const list& nodes, const scheduled_nodes& scheduled,
                              const open_run& run, std::size_t pos) -> bool {
    const graph_node& x = b.node(nodes[pos]);
    const fit here = fits(b, nodes, scheduled, run, x);
    if (here != fit::separate) return here == fit::connected;
    std::size_t q = pos + 1;
    while (q < nodes.size() && (b.node(nodes[q]).is_view() || b.node(nodes[q]).kind == node_kind::number)) ++q;
    if (q == nodes.size()) return false;
    const graph_node& y = b.node(nodes[q]);
    bool reads_x = false;
    for (int k = 0; k < y.operand_count; ++k)
      reads_x = reads_x || (y.reads(k) && y.operands[static_cast<std::size_t>(k)] == nodes[pos]);
    if (!reads_x || !is_of_elements(b, y) || fits(b, nodes, scheduled, run, y) != fit::connected) return false;
    open_run both = run;
    both.add(b, x, pos, false);
    return fits(b, nodes, scheduled, both, y) == fit::connected;
  }
  enum class fit : signed char { no, separate, connected };
  /// Returns `no` if an element-wise node cannot join a group. If it can, returns `connected` if
  /// the node reads a value that the group computes or reads, and `separate` if it does not.
  static constexpr auto fits(const builder& b, const list& nodes, const scheduled_nodes& scheduled, const open_run& run,
                             const graph_node& x) -> fit {
    if (run.positions.size() == most_in_run || !compatible(x, b.node(nodes[run.positions.front()]))) return fit::no;
    const index_t row = row_of(b, x), rows = std::max(row, run.row_length);
    if (row > 0 && run.row_length > 0 && row != run.row_length) return fit::no;
    if (!has_room(rows, x.dims.type, run.tiles + tiles_of(b, x))) return fit::no;
    for (const std::size_t pos : run.positions)
      if (row > 0 && is_sum_of_elements(b, b.node(nodes[pos])) && !is_in_tiles_of(b, b.node(nodes[pos]), row))
        return fit::no;
    bool connected = false;
    for (int k = 0; k < x.operand_count; ++k) {
      const int there = has(b, nodes, scheduled, run, x.operands[static_cast<std::size_t>(k)]);
      if (there < 0) return fit::no;
      connected = connected || there > 0;
    }
    return connected ? fit::connected : fit::separate;
  }
  /// Returns true if a sum can be computed from tiles of whole rows. Returns false for per-sample
  /// sums and for sums over parts of rows.
  static constexpr auto is_in_tiles_of(const builder& b, const graph_node& x, index_t row) -> bool {
    const index_t of = row_of_sum(sum_shape_of(b.node(x.operands[0]).dims, summed_dims(b, x)));
    return !x.batch_relation.sampled() && row <= most_in_tile && (of == 1 || of % row == 0);
  }
  /// Returns true if a group can also compute the sum `node`. The group must compute or read the
  /// sum's operand.
  static constexpr auto adds_up(const builder& b, const list& nodes, const scheduled_nodes& scheduled,
                                const open_run& run, int node) -> bool {
    const graph_node& x = b.node(node);
    const graph_node& of = b.node(x.operands[0]);
    if (run.positions.size() == most_in_run || !compatible(of, b.node(nodes[run.positions.front()]))) return false;
    const sum_shape s = sum_shape_of(of.dims, summed_dims(b, x));
    if (run.sums + added_up_in(s) > most_sums) return false;
    if (run.row_length > 0 && !is_in_tiles_of(b, x, run.row_length)) return false;
    return has(b, nodes, scheduled, run, x.operands[0]) > 0;
  }
};

}  // namespace koila::inline v0::detail
