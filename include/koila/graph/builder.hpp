// SPDX-License-Identifier: MIT
#pragma once
// The builder's nodes without ops: leaves, numbers, and the gathers, slices and copies that ops
// need. Equal nodes are merged. add_call.hpp adds the calls of ops.
#include <koila/graph/graph.hpp>

#include <algorithm>

#include <bit>

namespace koila::inline v0::detail {

inline constexpr op_info copy_info = [] {
  op_info o;
  o.name = "contiguous";
  o.copies = true;
  return o;
}();

/// Returns the layout of a view that has some of a value's rows along `axis`. `of_value` is the
/// layout of the value.
constexpr auto sliced(layout of_value, const dims& d, int axis) -> layout {
  if (of_value == layout::strided) return of_value;
  if (of_value == layout::dense && d.count(0, axis) == 1) return layout::dense;
  return d.rank == 2 ? layout::matrix : layout::strided;
}

constexpr auto builder::hash(const graph_node& n) -> std::size_t {
  std::size_t h = detail::mix(static_cast<std::size_t>(n.kind), static_cast<std::size_t>(n.operand_count));
  for (int k = 0; k < n.operand_count; ++k)
    h = detail::mix(h, static_cast<std::size_t>(n.operands[static_cast<std::size_t>(k)]));
  if (n.op != nullptr)
    for (const char c : n.op->name) h = detail::mix(h, static_cast<std::size_t>(c));
  if (n.kind == node_kind::number) h = detail::mix(h, std::bit_cast<std::uint64_t>(n.number));
  return h;
}

constexpr auto builder::equal_nodes(const graph_node& a, const graph_node& b) -> bool {
  if (a.kind != b.kind || a.op != b.op || a.operand_count != b.operand_count || a.operands != b.operands ||
      a.batch_relation != b.batch_relation)
    return false;
  if (a.kind == node_kind::number)
    return std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number) &&
           a.dims == b.dims;  // 0 is not -0
  if (a.op == nullptr || a.op->same_attributes == nullptr) return true;
  return a.op->same_attributes(a.attributes.get(), b.attributes.get());
}

constexpr auto builder::push(graph_node n) -> int {
  const std::size_t h = hash(n);
  const int known = cse_.find(h, [&](int id) { return equal_nodes(node(id), n); });
  if (known >= 0) return known;
  const int id = static_cast<int>(nodes.size());
  nodes.push_back(std::move(n));
  cse_.insert(h, id);
  return id;
}

constexpr void builder::bind_axes(const leaf_state& s, const dims& d) {
  for (int i = 0; i < d.rank; ++i) {
    if (!d.e[i].named()) continue;
    const index_t n = bound.find(d.e[i].axis);
    if (n < 0) bound.axes.push_back({d.e[i].axis, d.e[i].n});
    else if (n != d.e[i].n) refuse(s.name, reason::axis_bound_twice, &d, 1);
  }
}

constexpr auto builder::leaf_now(const leaf_state& s) -> int {
  if (const int id = lowered(&s); id >= 0) return id;
  graph_node n;
  n.kind = node_kind::leaf;
  n.leaf = handle<const leaf_state>(&s);
  n.dims = s.declared;
  n.layout = s.layout;
  for (const auto& b : bound.leaves)
    if (b.leaf == &s) n.dims = b.dims, n.layout = b.layout;
  for (int i = 0; i < n.dims.rank; ++i)
    if (n.dims.e[i].named() && !n.dims.e[i].known()) n.dims.e[i].n = bound.find(n.dims.e[i].axis);
  if (!n.dims.known() || n.dims.type == dtype::unknown) refuse(s.name, reason::not_bound, &s.declared, 1);
  bind_axes(s, n.dims);
  if (const int axis = n.dims.find(axis_name<struct batch>); axis >= 0) {
    n.batch_relation = samples_along(axis);
    n.layout = detail::sliced(n.layout, n.dims, axis);
  }
  const int id = static_cast<int>(nodes.size());
  nodes.push_back(std::move(n));
  return remember(&s, id);
}

constexpr auto builder::number(double v, const dims& d) -> int {
  if (notes != nullptr) return notes->number(v, d);
  graph_node n;
  n.kind = node_kind::number;
  n.number = v;
  n.dims = d;
  return push(std::move(n));
}

constexpr auto builder::structural(node_kind k, int v, batch_relation r, layout its_layout) -> int {
  graph_node n;
  n.kind = k;
  n.operand_count = 1;
  n.operands[0] = v;
  n.dims = node(v).dims;
  n.batch_relation = r;
  n.layout = its_layout;
  return push(std::move(n));
}

// Adding a node invalidates references to nodes, because nodes may move.
constexpr auto builder::whole(int v) -> int {
  const graph_node& n = node(v);
  if (!n.batch_relation.sampled()) return v;
  if (n.kind == node_kind::leaf) {
    layout its_layout = n.leaf->layout;
    for (const auto& b : bound.leaves)
      if (b.leaf == n.leaf.get()) its_layout = b.layout;
    return structural(node_kind::whole_leaf, v, {}, its_layout);
  }
  if (n.kind == node_kind::slice_rows || n.kind == node_kind::take_rows) return n.operands[0];
  if (n.kind == node_kind::alias && n.op->pushes_gather) {
    const op_info& op = *n.op;
    const handle<const object> attributes = n.attributes;
    const int w = whole(n.operands[0]);
    return add(op, &w, 1, attributes);
  }
  return structural(node_kind::gather_rows, v, partial(monoid::concat), layout::dense);
}

constexpr auto builder::rows_of(int v, batch_relation along) -> int {
  const graph_node& n = node(v);
  if (n.batch_relation.sampled()) return n.batch_relation == along ? v : rows_of(whole(v), along);
  if ((n.kind == node_kind::whole_leaf || n.kind == node_kind::gather_rows) &&
      node(n.operands[0]).batch_relation == along)
    return n.operands[0];
  if (along.outer != 1) return structural(node_kind::take_rows, v, along, layout::dense);
  return structural(node_kind::slice_rows, v, along, detail::sliced(n.layout, n.dims, along.axis));
}

constexpr auto builder::laid_out(int v, layout worst) -> int { return node(v).layout <= worst ? v : copy(v); }

constexpr auto builder::copy(int v) -> int {
  const graph_node& n = node(v);
  graph_node c;
  c.op = &detail::copy_info;
  c.operand_count = 1;
  c.operands[0] = v;
  c.dims = n.dims;
  c.batch_relation = n.batch_relation.as_read();
  return push(std::move(c));
}

constexpr auto builder::with_stated_axes(const dims& stated, int id) -> int {
  const auto is_read = [this](int node, int by) {
    for (std::size_t i = static_cast<std::size_t>(node) + 1; i < nodes.size(); ++i)
      for (int k = 0; k < nodes[i].operand_count && static_cast<int>(i) != by; ++k)
        if (nodes[i].operands[static_cast<std::size_t>(k)] == node) return true;
    return false;
  };
  for (int i = id, by = -1; i >= 0 && node(i).kind != node_kind::leaf && !is_read(i, by);) {
    by = i;
    i = name_axes(stated, i);
  }
  return id;
}

constexpr auto builder::name_axes(const dims& out, int id) -> int {
  graph_node& x = node(id);
  for (int d = 0; d < x.dims.rank && x.dims.rank == out.rank; ++d)
    if (!x.dims.e[d].named() && x.dims.e[d].n == out.e[d].n) x.dims.e[d].axis = out.e[d].axis;
  const bool rows =
      x.kind == node_kind::slice_rows || x.kind == node_kind::take_rows || x.kind == node_kind::gather_rows;
  return rows ? x.operands[0] : -1;
}

}  // namespace koila::inline v0::detail
