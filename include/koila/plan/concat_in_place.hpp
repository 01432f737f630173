// SPDX-License-Identifier: MIT
#pragma once
// Nested concatenations. A list longer than `most_operands` becomes a tree of concatenations. The
// inner concatenations write directly into the outermost one's buffer, so each value is copied
// once.
#include <koila/plan/schedule.hpp>

namespace koila::inline v0::detail {

/// The place where the value at one position of a loop's body is written. If `root` is -1, the
/// value has its own buffer. Otherwise the value is written into the buffer of the concatenation
/// at position `root`, starting at `offset` bytes per sample of the chunk.
struct concat_destination {
  int root = -1;
  index_t offset = 0;
};

/// Returns the bytes per sample of a value with dims `d`. The value has the dtype and the batch
/// relation of node `n`, which is per sample.
constexpr auto bytes_per_sample_in(const graph_node& n, const dims& d) -> index_t {
  return n.batch_relation.outer * n.batch_relation.inner * d.count(0, n.batch_relation.axis) *
         d.count(n.batch_relation.axis + 1, d.rank) * bytes_of(n.dims.type);
}
/// Returns the bytes per sample of a per-sample node.
constexpr auto bytes_per_sample(const graph_node& n) -> index_t { return bytes_per_sample_in(n, n.dims); }

/// Returns true if the node is a per-sample concatenation in which each operand is one contiguous
/// block of the result.
constexpr auto joins_whole_operands(const graph_node& x) -> bool {
  if (x.kind != node_kind::compute || x.op == nullptr || x.op->concat_dim == nullptr || !x.batch_relation.sampled())
    return false;
  const int dim = x.op->concat_dim(x.dims, x.attributes.get());
  return dim < x.batch_relation.axis && x.dims.count(0, dim) == 1;
}

/// Returns, for each position of a loop's body, where the value is written. The list is empty if
/// every value has its own buffer.
///
/// A concatenation is written into the buffer of the outermost concatenation (the root) under two
/// conditions. Its value must be read once, by the root or by a concatenation inside the root. Only
/// such inner concatenations may be computed between this concatenation and the root. Under these
/// conditions, no buffer lives longer than separate buffers would. `does_not_overlap(position)`
/// must return true if the value at that position is written into a buffer of the whole batch.
template <class IsApart>
constexpr auto concat_in_place(const builder& b, const std::vector<int>& body, const IsApart& does_not_overlap)
    -> std::vector<concat_destination> {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<concat_destination> out;
  const auto joins = [&](int pos) {
    return detail::joins_whole_operands(b.node(body[idx(pos)])) && !does_not_overlap(pos);
  };
  const auto reads = [&](int pos, int node) {
    const graph_node& x = b.node(body[idx(pos)]);
    for (int k = 0; k < x.operand_count; ++k)
      if (x.reads(k) && x.operands[idx(k)] == node) return true;
    return false;
  };
  struct count {
    int computed = 0, read = 0;
  };
  std::vector<count> counts;  // for each node, within this body
  const auto is_read_once = [&](int node) {
    for (std::size_t i = counts.size(); i < b.nodes.size(); ++i) counts.push_back({});
    if (counts[idx(body.front())].computed == 0)
      for (const int i : body) {
        ++counts[idx(i)].computed;
        for (int k = 0; k < b.node(i).operand_count; ++k)
          if (b.node(i).reads(k)) ++counts[idx(b.node(i).operands[idx(k)])].read;
      }
    return counts[idx(node)].computed == 1 && counts[idx(node)].read == 1;
  };
  const auto is_inside = [&](int pos, int root) { return !out.empty() && out[idx(pos)].root == root; };
  for (int root = static_cast<int>(body.size()) - 1; root > 0; --root) {
    if (!joins(root) || (!out.empty() && out[idx(root)].root >= 0)) continue;
    const graph_node& last = b.node(body[idx(root)]);
    for (int pos = root - 1; pos >= 0; --pos) {
      const int node = body[idx(pos)];
      const graph_node& x = b.node(node);
      if (x.is_view()) continue;
      if (!joins(pos) || x.batch_relation != last.batch_relation || x.dims.type != last.dims.type ||
          !is_read_once(node))
        break;
      int reader = root;  // the concatenation that reads `node`: the root or one nested in the root
      while (reader > pos && !((reader == root || is_inside(reader, root)) && reads(reader, node))) --reader;
      if (reader == pos) break;
      const graph_node& y = b.node(body[idx(reader)]);
      index_t at = reader == root ? 0 : out[idx(reader)].offset;
      for (int k = 0; y.operands[idx(k)] != node; ++k) at += bytes_per_sample_in(y, b.node(y.operands[idx(k)]).dims);
      for (std::size_t i = out.size(); i < body.size(); ++i) out.push_back({});
      out[idx(pos)] = {root, at};
    }
  }
  return out;
}

}  // namespace koila::inline v0::detail
