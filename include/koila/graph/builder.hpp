// SPDX-License-Identifier: MIT
#pragma once
// How the builder adds a node: it applies the rule, expands composite ops, applies flow and layout,
// and merges common subexpressions.
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

/// Returns the layout of a view of a value with layout `how`. The view has some of the value's
/// rows along `axis`.
constexpr auto sliced(layout old, const dims& d, int axis) -> layout {
  if (old == layout::strided) return old;
  if (old == layout::dense && d.count(0, axis) == 1) return layout::dense;
  return d.rank == 2 ? layout::matrix : layout::strided;
}

/// Returns true if both dims are equal. `open`, which tells what the compiler knew, is ignored.
constexpr auto same_when_bound(const dims& a, dims b) -> bool {
  for (int i = 0; i < std::min(a.rank, b.rank); ++i) b.e[i].open = a.e[i].open;
  return a == b;
}

/// Returns the dims of a number as an operand of an op that computes in dtype `computed`. The
/// number is converted to this dtype here, so that no kernel converts it at each call. The number
/// keeps its own dtype if `computed` is an integer dtype that does not hold it. Except for views,
/// it also keeps its dtype if it is floating-point and `computed` is not, and if `computed` has
/// 16 bits and the op takes C++ numbers. In the last case, kernels read the number more exactly
/// than they write results. In the same case, an integer becomes float64 for element functions.
constexpr auto number_for(const op_info& op, dims d, double v, dtype computed) -> dims {
  const bool convert = op.view != nullptr ||
                       (is_floating(computed) ? bytes_of(computed) > 2 || !op.takes_numbers : !is_floating(d.type));
  if (convert && computed != dtype::unknown && (is_floating(computed) || holds(computed, v))) d.type = computed;
  else if (is_integral(d.type) && includes(op.elements_in, computed) && is_floating(computed)) d.type = dtype::float64;
  if (!op.takes_numbers) d.number = false;
  return d;
}

/// Calls number_for for operand k of an op with operands of dims d. The number keeps its own dtype
/// if the rule refuses the new dtype, for example for an index, which must not be floating-point.
constexpr auto number_operand(const op_info& op, dims* d, int k, double v, dtype computed, const object* a) -> dims {
  const dims own = d[k], as = number_for(op, own, v, computed);
  if (op.takes_numbers || as.type == own.type) return as;
  d[k] = as;
  const bool taken = op.rule(d, a).accepted();
  d[k] = own;
  return taken ? as : own.with(own.type);
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

constexpr auto builder::structural(node_kind k, int v, batch_relation r, layout old) -> int {
  graph_node n;
  n.kind = k;
  n.operand_count = 1;
  n.operands[0] = v;
  n.dims = node(v).dims;
  n.batch_relation = r;
  n.layout = old;
  return push(std::move(n));
}

// Adding a node invalidates references to nodes, because nodes may move.
constexpr auto builder::whole(int v) -> int {
  const graph_node& n = node(v);
  if (!n.batch_relation.sampled()) return v;
  if (n.kind == node_kind::leaf) {
    layout how = n.leaf->layout;
    for (const auto& b : bound.leaves)
      if (b.leaf == n.leaf.get()) how = b.layout;
    return structural(node_kind::whole_leaf, v, {}, how);
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

constexpr auto builder::with_axes_of(const dims& out, int id, std::size_t known) -> int {
  for (int i = id; i >= 0 && static_cast<std::size_t>(i) >= known;) i = name_axes(out, i);
  return id;
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

constexpr auto builder::is_new_update(const graph_node& n) -> bool {
  for (const graph_node& known : updating_)
    if (equal_nodes(known, n)) return false;
  updating_.push_back(n);
  return true;
}

constexpr auto builder::part_of_joined(const op_info& op, int x, const object* a, const dims& out) -> int {
  const graph_node& from = node(x);
  if (from.op == nullptr || from.op->concat_dim == nullptr) return -1;
  dim_part s = op.slice_of(from.dims, a);
  if (s.length < 1 || s.dim != from.op->concat_dim(from.dims, from.attributes.get())) return -1;
  for (int k = 0; k < from.operand_count; ++k) {
    const int id = from.operands[static_cast<std::size_t>(k)];
    const graph_node& y = node(id);
    const bool one = y.dims.rank < from.dims.rank;  // the op adds this dim, as unsqueeze does
    const index_t n = one ? 1 : y.dims.e[s.dim].n;
    if (s.start >= n) {
      s.start -= n;
      continue;
    }
    if (s.start + s.length > n || y.kind == node_kind::number || y.dims.type != from.dims.type) return -1;
    if (one) return s.drops && y.dims == out ? id : -1;
    if (y.batch_relation != from.batch_relation || y.batch_relation.kind == batch_relation::partial) return -1;
    if (n == s.length && !s.drops) return y.dims == out ? id : -1;
    const handle<const object> there = op.with_slice(a, s);
    return op.rule(&y.dims, there.get()).out == out ? add(op, &id, 1, there) : -1;
  }
  return -1;
}

constexpr auto builder::left_as_it_is(const graph_node& n, const batch_relation& r) const -> int {
  if (n.op->identity_element == nullptr || n.operand_count != 2) return -1;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const graph_node* x = &node(n.operands[k]);
    while (x->kind == node_kind::alias) x = &node(x->operands[0]);
    const graph_node& other = node(n.operands[1 - k]);
    if (x->kind == node_kind::number && x->number == *n.op->identity_element && other.kind != node_kind::number &&
        detail::same_when_bound(other.dims, n.dims) && other.batch_relation == r)
      return n.operands[1 - k];
  }
  return -1;
}

/// Returns `result`, the result of an op's expansion. Throws usage_error if its extents or its
/// dtype differ from those that the rule states.
constexpr auto builder::as_the_rule_says(const op_info& op, const dims& stated, int result) const -> int {
  const dims& made = node(result).dims;
  if (made.type != stated.type || !detail::same_extents(made, stated))
    throw usage_error("koila: what " + std::string(op.name) +
                      " is made of has other dims or another dtype than its rule says");
  return result;
}

template <int Most>
constexpr auto builder::add_up_to(const op_info& op, const int* inputs, int count, handle<const object> attributes)
    -> int {
  graph_node n;
  n.op = &op;
  n.operand_count = count = std::min(count, Most);  // never more than Most; g++ warns of an overflow otherwise
  n.attributes = std::move(attributes);
  const object* const a = n.attributes.get();
  value operands[Most];
  dims d[Most];
  bool numbers = true;
  for (int k = 0; k < count; ++k) {
    n.operands[static_cast<std::size_t>(k)] = inputs[k];
    const graph_node& x = node(inputs[k]);
    d[k] = x.dims;
    operands[k] = {x.dims, x.batch_relation.as_read()};
    numbers = numbers && x.kind == node_kind::number;
    if (op.fan_in != nullptr && x.leaf && x.leaf->kind == leaf_state::parameter && x.dims.rank < 2)
      x.leaf->note_fan_in(op.fan_in(d));
  }
  const verdict v = op.rule(d, a);
  if (!v.accepted()) op.refuse(v.reason, d, a);
  if (!v.out.known() || v.out.type == dtype::unknown) op.refuse(reason::result_is_not_known, d, a);
  n.dims = v.out;
  if (op.constant != nullptr) return number(op.constant(d, a), v.out);
  if (numbers && op.fold != nullptr) {
    double x[Most] = {};
    dims out = v.out;
    out.number = true;
    for (int k = 0; k < count; ++k) x[k] = node(inputs[k]).number, out.number = out.number && d[k].number;
    return number(op.fold(x, a), out);
  }
  if (op.updates != nullptr && is_new_update(n)) op.updates(*this, inputs, a);
  if (op.expand != nullptr) {
    const std::size_t known = nodes.size();
    return with_axes_of(v.out, as_the_rule_says(op, v.out, op.expand(*this, inputs, a)), known);
  }
  if (op.is_noop != nullptr && op.is_noop(d, a) && (op.slice_of == nullptr || d[0] == v.out)) return inputs[0];
  if (op.slice_of != nullptr)
    if (const int y = part_of_joined(op, inputs[0], a, v.out); y >= 0) return y;

  // A comparison returns booleans, but computes in the common dtype of its operands.
  const dims* pointers[Most];
  for (int k = 0; k < count; ++k) pointers[k] = &d[k];
  const dtype computed =
      n.dims.type == dtype::boolean && op.view == nullptr ? result_type(pointers, count) : n.dims.type;
  const relations f = op.flow != nullptr ? op.flow(operands, n.dims, a) : flows::gather(operands, count, n.dims);
  for (int k = 0; k < count; ++k) {
    if (!n.reads(k)) continue;
    int& x = n.operands[static_cast<std::size_t>(k)];
    if (node(x).kind == node_kind::number) {
      const dims number_now = detail::number_operand(op, d, k, node(x).number, computed, a);
      if (op.view != nullptr && number_now.type != computed) op.refuse(reason::number_out_of_range, d, a);
      x = number(node(x).number, number_now);
    }
    if (f.operand[k].kind == need::whole) x = whole(x);
    if (f.operand[k].kind == need::rows) x = rows_of(x, f.operand[k].along);
    if (op.required_layout != nullptr) x = laid_out(x, op.required_layout(k, node(x).dims));
    d[k].type = node(x).dims.type;
  }
  if (const int same = left_as_it_is(n, f.out); same >= 0) return f.resliced ? rows_of(same, f.again) : same;
  if (op.cost != nullptr && op.view == nullptr) n.cost = op.cost(d, n.dims, a);
  n.batch_relation = f.out;
  if (op.view != nullptr) {
    n.kind = node_kind::alias;
    n.layout = op.view_layout != nullptr ? op.view_layout(node(n.operands[0]).layout, node(n.operands[0]).dims, a)
                                         : layout::strided;
  }
  const int id = push(std::move(n));
  return f.resliced ? rows_of(id, f.again) : id;
}

constexpr auto builder::add_now(const op_info& op, const int* operands, int n, handle<const object> attributes) -> int {
  return n <= 2 ? add_up_to<2>(op, operands, n, std::move(attributes))
                : add_up_to<most_operands>(op, operands, n, std::move(attributes));
}

}  // namespace koila::inline v0::detail
