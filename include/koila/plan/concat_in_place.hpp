#pragma once
// Joins of joins, which lists of more values than an op takes become: what the inner ones make is
// written where the outer one wants it, so that each value is copied once.
#include <koila/plan/schedule.hpp>

namespace koila {

/// Where the value of a position of a loop's body is made: in the buffer of the join at `root`, so
/// many bytes from its begin for each sample of the chunk; -1: in its own.
struct nested_join {
  int root = -1;
  index_t at = 0;
};

/// Bytes that a value of these dims takes for each sample of a per-sample node, of whose dtype and
/// relation it becomes.
constexpr auto bytes_per_sample_in(const graph_node& n, const dims& d) -> index_t {
  return n.r.outer * n.r.inner * d.count(0, n.r.axis) * d.count(n.r.axis + 1, d.rank) * bytes_of(n.d.type);
}
/// Bytes of a per-sample value for each sample.
constexpr auto bytes_per_sample(const graph_node& n) -> index_t { return bytes_per_sample_in(n, n.d); }

namespace detail {

/// Whether a node's operands lie one after another in its value, each as a whole.
constexpr auto joins_whole_operands(const graph_node& x) -> bool {
  if (x.is != kind::compute || x.op == nullptr || x.op->joined == nullptr || !x.r.sampled()) return false;
  const int dim = x.op->joined(x.d, x.attributes.get());
  return dim < x.r.axis && x.d.count(0, dim) == 1;
}

}  // namespace detail

/// Of each position of a loop's body, or nothing where no value is made in another's buffer. Such a
/// value is itself a join, only its outer one reads it, once, and nothing but such joins is
/// computed between both: so no buffer is there for longer than it would be. `is_apart`: of a
/// position whose value has a buffer of all samples.
template <class IsApart>
constexpr auto concat_in_place(const builder& b, const std::vector<int>& body, const IsApart& is_apart)
    -> std::vector<nested_join> {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<nested_join> out;
  const auto joins = [&](int p) { return detail::joins_whole_operands(b.at(body[idx(p)])) && !is_apart(p); };
  const auto reads = [&](int p, int node) {
    const graph_node& x = b.at(body[idx(p)]);
    for (int k = 0; k < x.n_in; ++k)
      if (x.reads(k) && x.in[idx(k)] == node) return true;
    return false;
  };
  struct count {
    int computed = 0, read = 0;
  };
  std::vector<count> counts;  // of each node, in this body
  const auto is_read_once = [&](int node) {
    for (std::size_t i = counts.size(); i < b.nodes.size(); ++i) counts.push_back({});
    if (counts[idx(body.front())].computed == 0)
      for (const int i : body) {
        ++counts[idx(i)].computed;
        for (int k = 0; k < b.at(i).n_in; ++k)
          if (b.at(i).reads(k)) ++counts[idx(b.at(i).in[idx(k)])].read;
      }
    return counts[idx(node)].computed == 1 && counts[idx(node)].read == 1;
  };
  const auto is_inside = [&](int p, int root) { return !out.empty() && out[idx(p)].root == root; };
  for (int root = static_cast<int>(body.size()) - 1; root > 0; --root) {
    if (!joins(root) || (!out.empty() && out[idx(root)].root >= 0)) continue;
    const graph_node& last = b.at(body[idx(root)]);
    for (int p = root - 1; p >= 0; --p) {
      const int node = body[idx(p)];
      const graph_node& x = b.at(node);
      if (x.is_view()) continue;
      if (!joins(p) || x.r != last.r || x.d.type != last.d.type || !is_read_once(node)) break;
      int outer = root;  // the join that reads it: the root, or one in it
      while (outer > p && !((outer == root || is_inside(outer, root)) && reads(outer, node))) --outer;
      if (outer == p) break;
      const graph_node& y = b.at(body[idx(outer)]);
      index_t at = outer == root ? 0 : out[idx(outer)].at;
      for (int k = 0; y.in[idx(k)] != node; ++k) at += bytes_per_sample_in(y, b.at(y.in[idx(k)]).d);
      for (std::size_t i = out.size(); i < body.size(); ++i) out.push_back({});
      out[idx(p)] = {root, at};
    }
  }
  return out;
}

}  // namespace koila
