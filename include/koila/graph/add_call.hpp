// SPDX-License-Identifier: MIT
#pragma once
// How the builder adds the call of an op, pass by pass: check, fold, expand, simplify, relate, sum
// in float32, arrange the operands, share.
#include <koila/graph/builder.hpp>
#include <koila/graph/call_trace.hpp>
#include <koila/ops/internal/to_dtype.hpp>

#include <algorithm>

namespace koila::inline v0::detail {

template <class Op, std::size_t N>
constexpr auto info_of() -> const op_info&;

/// Returns true if both dims are equal. Ignores extent::open, which says what the compiler knew.
constexpr auto same_when_bound(const dims& a, dims b) -> bool {
  for (int i = 0; i < std::min(a.rank, b.rank); ++i) b.e[i].open = a.e[i].open;
  return a == b;
}

/// Returns the dims of a number as an operand of an op that computes in dtype `computed`. The
/// number gets this dtype when the graph is built, so that no kernel converts it at each call.
/// There are three exceptions:
/// - If `computed` is an integer dtype that does not hold the number, the number keeps its dtype.
/// - If the number is floating-point, `computed` is not, and the op is not a view, the number
///   keeps its dtype.
/// - If `computed` has 16 bits, the op takes C++ numbers, and the op is not a view, the number
///   keeps its dtype, because kernels read it with more precision than 16 bits. If the op has
///   element functions for `computed`, an integer becomes float64.
constexpr auto number_for(const op_info& op, dims d, double v, dtype computed) -> dims {
  const bool convert = op.view != nullptr ||
                       (is_floating(computed) ? bytes_of(computed) > 2 || !op.takes_numbers : !is_floating(d.type));
  if (convert && computed != dtype::unknown && (is_floating(computed) || holds(computed, v))) d.type = computed;
  else if (is_integral(d.type) && includes(op.elements_in, computed) && is_floating(computed)) d.type = dtype::float64;
  if (!op.takes_numbers) d.number = false;
  return d;
}

/// Calls number_for for operand k of an op whose operands have the dims `d`. The number keeps its
/// own dtype if the rule refuses the new dtype. For example, an index must not be floating-point.
constexpr auto number_operand(const op_info& op, dims* d, int k, double v, dtype computed, const object* a) -> dims {
  const dims own = d[k], as = number_for(op, own, v, computed);
  if (op.takes_numbers || as.type == own.type) return as;
  d[k] = as;
  const bool taken = op.rule(d, a).accepted();
  d[k] = own;
  return taken ? as : own.with(own.type);
}

/// A call that is being added, and the properties of its operands that the passes need.
template <int Most>
struct builder::new_call {
  const op_info& op;
  graph_node n;
  dims operand_dims[Most];
  value operands[Most];
  bool numbers = true;  ///< all operands are numbers

  constexpr new_call(builder& b, const op_info& called, const int* ids, int count, handle<const object> attributes)
      : op(called) {
    n.op = &op;
    n.operand_count = count = std::min(count, Most);  // never more than Most, but without std::min g++ warns
    n.attributes = std::move(attributes);
    for (int k = 0; k < count; ++k) {
      n.operands[static_cast<std::size_t>(k)] = ids[k];
      const graph_node& x = b.node(ids[k]);
      operand_dims[k] = x.dims;
      operands[k] = {x.dims, x.batch_relation.as_read()};
      numbers = numbers && x.kind == node_kind::number;
      if (op.fan_in != nullptr && x.leaf && x.leaf->kind == leaf_state::parameter && x.dims.rank < 2)
        x.leaf->note_fan_in(op.fan_in(operand_dims));
    }
  }
  constexpr auto attributes() const -> const object* { return n.attributes.get(); }
  constexpr auto count() const -> int { return n.operand_count; }
  constexpr void refuse(reason r) const { op.refuse(r, operand_dims, attributes()); }
};

/// Applies the op's rule. The result's extents and dtype are known afterwards.
template <int Most>
constexpr void builder::check(new_call<Most>& c) const {
  const verdict v = c.op.rule(c.operand_dims, c.attributes());
  if (!v.accepted()) c.refuse(v.reason);
  if (!v.out.known() || v.out.type == dtype::unknown) c.refuse(reason::result_is_not_known);
  c.n.dims = v.out;
}

/// Computes the call when the graph is built. Returns the node of the result, which is a number.
/// Either the op's result must be a constant, or all operands must be numbers.
template <int Most>
constexpr auto builder::fold(const new_call<Most>& c) -> int {
  if (c.op.constant != nullptr) return number(c.op.constant(c.operand_dims, c.attributes()), c.n.dims);
  double x[Most] = {};
  dims out = c.n.dims;
  out.number = true;
  for (int k = 0; k < c.count(); ++k) {
    x[k] = node(c.n.operands[static_cast<std::size_t>(k)]).number;
    out.number = out.number && c.operand_dims[k].number;
  }
  return number(c.op.fold(x, c.attributes()), out);
}

constexpr auto builder::with_axes_of(const dims& out, int id, std::size_t known) -> int {
  for (int i = id; i >= 0 && static_cast<std::size_t>(i) >= known;) i = name_axes(out, i);
  return id;
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

/// Lowers the op's expansion, an expression of other ops that computes the call. Returns the node
/// of its result.
template <int Most>
constexpr auto builder::expand(const new_call<Most>& c) -> int {
  const std::size_t known = nodes.size();
  const int id = c.op.expand(*this, c.n.operands.data(), c.attributes());
  return with_axes_of(c.n.dims, as_the_rule_says(c.op, c.n.dims, id), known);
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

/// Returns the operand if the call does not change it. If the call is a view of a part of a
/// concatenation, returns the result of part_of_joined. Returns -1 if the call must be computed.
template <int Most>
constexpr auto builder::simplify(const new_call<Most>& c) -> int {
  const op_info& op = c.op;
  if (op.is_noop != nullptr && op.is_noop(c.operand_dims, c.attributes()) &&
      (op.slice_of == nullptr || c.operand_dims[0] == c.n.dims))
    return c.n.operands[0];
  return op.slice_of != nullptr ? part_of_joined(op, c.n.operands[0], c.attributes(), c.n.dims) : -1;
}

constexpr auto builder::converted(int x, dtype to) -> int {
  if (node(x).kind == node_kind::number) return number(node(x).number, node(x).dims.with(to));
  return add(info_of<struct internal::to_dtype, 1>(), &x, 1, box_attributes<struct internal::to_dtype>({to}));
}

/// If the call is a sum of 16-bit values, or a sum or product over the batch with a 16-bit result,
/// adds the call with float32 operands and rounds the result once. Otherwise returns -1. So the
/// result does not depend on how many values a chunk adds before they are rounded.
template <int Most>
constexpr auto builder::sum_in_float32(const new_call<Most>& c, const relations& f) -> int {
  const monoid combine = f.out.kind == batch_relation::partial ? f.out.combine : monoid::none;
  const bool sums = c.op.sums != nullptr || combine == monoid::sum || combine == monoid::prod;
  const dtype stated = c.n.dims.type, wide = accumulator_of(stated);
  if (!sums || wide == stated || c.op.keeps_dtypes) return -1;
  const auto is_converted = [&](int k) {
    return !c.operand_dims[k].number && accumulator_of(c.operand_dims[k].type) == wide;
  };
  dims in[Most];
  for (int k = 0; k < c.count(); ++k) in[k] = is_converted(k) ? c.operand_dims[k].with(wide) : c.operand_dims[k];
  const verdict v = c.op.rule(in, c.attributes());
  if (!v.accepted() || v.out.type != wide) return -1;
  int operands[Most];
  for (int k = 0; k < c.count(); ++k) {
    const int x = c.n.operands[static_cast<std::size_t>(k)];
    operands[k] = is_converted(k) ? converted(x, wide) : x;
  }
  return converted(add(c.op, operands, c.count(), c.n.attributes), stated);
}

/// Replaces each operand by a node that has the form and the layout that the op needs. The form is
/// the whole value, or its rows along an axis. A number gets the dtype in which the op computes.
template <int Most>
constexpr void builder::arrange_operands(new_call<Most>& c, const relations& f) {
  // A comparison returns booleans, but computes in the common dtype of its operands.
  const dims* pointers[Most] = {};
  for (int k = 0; k < c.count(); ++k) pointers[k] = &c.operand_dims[k];
  const bool compares = c.n.dims.type == dtype::boolean && c.op.view == nullptr;
  const dtype computed = compares ? result_type(pointers, c.count()) : c.n.dims.type;
  for (int k = 0; k < c.count(); ++k) {
    if (!c.n.reads(k)) continue;
    int& x = c.n.operands[static_cast<std::size_t>(k)];
    if (node(x).kind == node_kind::number) {
      const dims as_operand = number_operand(c.op, c.operand_dims, k, node(x).number, computed, c.attributes());
      if (c.op.view != nullptr && as_operand.type != computed) c.refuse(reason::number_out_of_range);
      x = number(node(x).number, as_operand);
    }
    if (f.operand[k].kind == need::whole) x = whole(x);
    if (f.operand[k].kind == need::rows) x = rows_of(x, f.operand[k].along);
    if (c.op.required_layout != nullptr) x = laid_out(x, c.op.required_layout(k, node(x).dims));
    c.operand_dims[k].type = node(x).dims.type;
  }
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

/// Adds the node of the call, or returns an equal node.
template <int Most>
constexpr auto builder::share(new_call<Most>& c, const batch_relation& r) -> int {
  const op_info& op = c.op;
  graph_node& n = c.n;
  n.batch_relation = r;
  if (op.view != nullptr) {
    const graph_node& x = node(n.operands[0]);
    n.kind = node_kind::alias;
    n.layout = op.view_layout != nullptr ? op.view_layout(x.layout, x.dims, c.attributes()) : layout::strided;
  } else if (op.cost != nullptr) {
    n.cost = op.cost(c.operand_dims, n.dims, c.attributes());
  }
  return push(std::move(n));
}

constexpr auto builder::is_new_update(const graph_node& n) -> bool {
  for (const graph_node& known : updating_)
    if (equal_nodes(known, n)) return false;
  updating_.push_back(n);
  return true;
}

template <int Most>
constexpr auto builder::add_up_to(const op_info& op, const int* operands, int n, handle<const object> attributes)
    -> int {
  new_call<Most> c(*this, op, operands, n, std::move(attributes));
  check(c);
  if (op.constant != nullptr || (c.numbers && op.fold != nullptr)) return fold(c);
  if (op.updates != nullptr && is_new_update(c.n)) op.updates(*this, operands, c.attributes());
  if (op.expand != nullptr) return expand(c);
  if (const int known = simplify(c); known >= 0) return known;
  const relations f =
      op.flow != nullptr ? op.flow(c.operands, c.n.dims, c.attributes()) : flows::gather(c.operands, n, c.n.dims);
  if (const int rounded = sum_in_float32(c, f); rounded >= 0) return rounded;
  arrange_operands(c, f);
  const int unchanged = left_as_it_is(c.n, f.out);
  const int id = unchanged >= 0 ? unchanged : share(c, f.out);
  return f.resliced ? rows_of(id, f.again) : id;
}

constexpr auto builder::add_now(const op_info& op, const int* operands, int n, handle<const object> attributes) -> int {
  return n <= 2 ? add_up_to<2>(op, operands, n, std::move(attributes))
                : add_up_to<most_operands>(op, operands, n, std::move(attributes));
}

}  // namespace koila::inline v0::detail
