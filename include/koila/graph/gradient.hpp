// SPDX-License-Identifier: MIT
#pragma once
// Gradients. Gradients are ordinary nodes of the graph. The gradient of a value has the value's
// batch relation.
#include <koila/graph/part_gradients.hpp>
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/pointwise/add.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace koila::inline v0 {

namespace detail {

/// Returns the reason for which a value of these dims has no gradient, or `accepted`. This is
/// checked when the graph is built, because the compiler may not know the dims.
constexpr auto refusal_of_loss(const dims& d) -> reason {
  if (d.rank != 0) return reason::not_a_scalar;
  return is_floating(d.type) ? reason::accepted : reason::no_gradient_of_integers;
}

/// Returns true if a gradient flows from a node to its operands.
constexpr auto passes_gradients(const graph_node& n) -> bool {
  return is_floating(n.dims.type) && (n.op == nullptr || !n.op->stops_gradient);
}

/// A value that is differentiated, and the gradient that flows into it.
struct gradient_seed {
  int node = -1;
  int cotangent = -1;  ///< a node with the dims of `node`, or a number
};

/// Marks the nodes up to `loss` that depend on a node in `wrt` and pass gradients to their
/// operands.
constexpr auto between(const builder& b, int loss, const std::vector<int>& wrt) -> std::vector<char> {
  std::vector<char> on;
  for (int i = 0; i <= loss; ++i) on.push_back(0);
  for (const int w : wrt)
    if (w <= loss) on[static_cast<std::size_t>(w)] = 1;
  for (int i = 0; i <= loss; ++i) {
    const graph_node& n = b.node(i);
    bool yes = on[static_cast<std::size_t>(i)] != 0;
    for (int k = 0; k < n.operand_count && !yes; ++k)
      yes = n.reads(k) && on[static_cast<std::size_t>(n.operands[static_cast<std::size_t>(k)])] != 0;
    on[static_cast<std::size_t>(i)] = static_cast<char>(yes && passes_gradients(n));
  }
  return on;
}

/// Marks the nodes to which the gradient flows from the marked nodes. Nodes that stop gradients are
/// not marked.
constexpr auto below(const builder& b, std::vector<char> on) -> std::vector<char> {
  for (int i = static_cast<int>(on.size()) - 1; i >= 0; --i) {
    const graph_node& n = b.node(i);
    char& here = on[static_cast<std::size_t>(i)];
    here = static_cast<char>(here != 0 && passes_gradients(n));
    for (int k = 0; k < n.operand_count && here != 0; ++k)
      if (n.reads(k)) on[static_cast<std::size_t>(n.operands[static_cast<std::size_t>(k)])] = 1;
  }
  return on;
}
/// Marks the nodes to which the gradient of `loss` flows.
constexpr auto below(const builder& b, int loss) -> std::vector<char> {
  std::vector<char> on = filled(static_cast<std::size_t>(loss) + 1, char{0});
  on.back() = 1;
  return detail::below(b, std::move(on));
}

/// Throws shape_error if the gradient reaches a tensor that requires a gradient and is not in
/// `wrt`. Such a tensor may be the result of a call on a parameter and a plain tensor, which runs
/// immediately. It may also be the result of LibTorch's ops on a tensor that requires a gradient.
constexpr void refuse_lost_gradients(const builder& b, const std::vector<char>& below, const std::vector<int>& wrt) {
  for (int i = 0; i < static_cast<int>(below.size()); ++i) {
    const graph_node& n = b.node(i);
    if (n.kind != node_kind::leaf || below[static_cast<std::size_t>(i)] == 0 || !b.bound.requires_grad(*n.leaf))
      continue;
    bool asked = false;
    for (const int w : wrt) asked = asked || w == i;
    if (asked) continue;
    throw shape_error(
        std::string("gradient: ") + n.leaf->name +
        ": the tensor was computed outside of the expression from tensors that require a gradient, or is one, which would get "
        "none: compute it inside, from lazy(tensor); ask for it, by gradient(loss, tensor); or detach() it");
  }
}

/// Replaces the attributes of the nodes in `below` by the attributes that the ops need when they
/// are differentiated. At this point, `custom` refuses a callable that holds parameters, because
/// these parameters would not get a gradient.
constexpr void mark_differentiated(builder& b, const std::vector<char>& below) {
  for (int i = 0; i < static_cast<int>(below.size()); ++i) {
    graph_node& n = b.node(i);
    if (below[static_cast<std::size_t>(i)] == 0 || n.op == nullptr || n.op->when_differentiated == nullptr) continue;
    dims in[most_operands];
    for (int k = 0; k < n.operand_count; ++k) in[k] = b.node(n.operands[static_cast<std::size_t>(k)]).dims;
    n.attributes = n.op->when_differentiated(in, n.attributes.get());
  }
}

[[noreturn]] inline void no_gradient_for(std::string_view op) {
  throw without_gradient<usage_error>("koila: " + std::string(op) + " has no gradient");
}

/// Throws shape_error if the extents or the dtype of a gradient differ from those of operand k. A
/// likely cause is a user's op that repeats an operand, but does not sum the operand's gradient.
constexpr void require_like_operand(const builder& b, const graph_node& n, int k, int gradient) {
  const graph_node& g = b.node(gradient);
  const dims x = b.node(n.operands[static_cast<std::size_t>(k)]).dims;
  if (g.kind == node_kind::number || !g.dims.ranked() || !x.ranked()) return;
  bool fits = g.dims.rank == x.rank && g.dims.type == x.type;
  for (int i = 0; fits && i < x.rank; ++i) fits = g.dims.e[i].n == x.e[i].n;
  if (fits) return;
  writer w;
  w.put(n.name());
  w.put(": its gradient of operand ");
  w.put(index_t{k});
  w.put(" is ");
  w.put(g.dims);
  w.put(", and the operand ");
  w.put(x);
  w.put(": sum_to(gradient, operand) adds up what the op repeats, to_dtype gives the operand's dtype");
  throw shape_error(std::string(w.view()));
}

/// Converts gradient `g` of node `primal` to a value with the dims of `primal`, if `g` is a
/// number.
constexpr auto materialised(builder& b, int g, int primal) -> int {
  if (b.node(g).kind != node_kind::number) return g;
  const dims d = b.node(primal).dims;
  if (d.rank == 0) return b.number(b.node(g).number, d.with(d.type));
  const int in[] = {b.number(b.node(g).number, scalar(d.type)), primal};
  return b.add(info_of<struct expand_like, 2>(), in, 2, box_attributes<struct expand_like>({}));
}

/// Adds the gradients of the nodes `wrt`, as add_gradients does. Each value in `seeds` starts with
/// its own cotangent.
constexpr auto add_gradients_from(builder& b, const std::vector<gradient_seed>& seeds, const std::vector<int>& wrt)
    -> std::vector<int> {
  int loss = -1;  // the last of the values that are differentiated
  for (const gradient_seed& s : seeds) loss = std::max(loss, s.node);
  // The cotangent of each node, which is the gradient of the loss with respect to the node. Partial
  // cotangents are added up first, so that they can share one buffer.
  std::vector<int> cotangent = detail::filled(static_cast<std::size_t>(loss) + 1, -1), partials = cotangent;
  std::vector<char> below = detail::filled(static_cast<std::size_t>(loss) + 1, char{0});
  for (const gradient_seed& s : seeds) below[static_cast<std::size_t>(s.node)] = 1;
  below = detail::below(b, std::move(below));
  detail::refuse_lost_gradients(b, below, wrt);
  detail::mark_differentiated(b, below);
  const std::vector<char> on = detail::between(b, loss, wrt);

  std::vector<detail::part_gradients> parts;  // for each node
  for (int i = 0; i <= loss; ++i) parts.push_back({});
  const auto add_to = [&](int& sum, int g) {
    const int in[] = {sum, g};
    sum = sum < 0 ? g : b.add(info_of<struct add, 2>(), in, 2, {});
  };
  const auto add = [&](int x, int g) {
    const int v = b.node(g).kind == node_kind::number ? g : b.related(g, b.node(x).batch_relation);
    add_to(
        (b.node(v).batch_relation.kind == batch_relation::partial ? partials : cotangent)[static_cast<std::size_t>(x)],
        v);
  };

  for (const gradient_seed& s : seeds) add(s.node, s.cotangent);
  for (int i = loss; i >= 0; --i) {
    if (const auto& p = parts[static_cast<std::size_t>(i)]; !p.empty()) add(i, p.sum(b, i));
    if (const int p = partials[static_cast<std::size_t>(i)]; p >= 0) add_to(cotangent[static_cast<std::size_t>(i)], p);
    const int dy = cotangent[static_cast<std::size_t>(i)];
    if (dy < 0 || b.node(i).operand_count == 0 || on[static_cast<std::size_t>(i)] == 0) continue;
    const graph_node n = b.node(i);  // a copy, because nodes move when others are added
    int out[most_operands] = {-1, -1, -1, -1, -1, -1};
    unsigned wanted = 0;
    for (int k = 0; k < n.operand_count; ++k)
      if (n.reads(k) && on[static_cast<std::size_t>(n.operands[static_cast<std::size_t>(k)])] != 0)
        wanted |= 1U << static_cast<unsigned>(k);
    if (wanted == 0) continue;
    if (n.op != nullptr && n.op->gradient != nullptr)
      n.op->gradient(b, i, dy, n.operands.data(), n.attributes.get(), wanted, out);
    else if (n.op == nullptr || n.op->copies) out[0] = dy;  // the node changes no element
    else detail::no_gradient_for(n.op->name);
    for (int k = 0; k < n.operand_count; ++k) {
      if (out[k] < 0) continue;
      const int x = n.operands[static_cast<std::size_t>(k)];
      detail::require_like_operand(b, n, k, out[k]);
      if (!parts[static_cast<std::size_t>(x)].keep(b, out[k], b.node(x))) add(x, out[k]);
    }
  }
  std::vector<int> result;
  for (const int w : wrt) {
    const int g = w <= loss ? cotangent[static_cast<std::size_t>(w)] : -1;
    result.push_back(g < 0 ? -1 : b.related(detail::materialised(b, g, w), b.node(w).batch_relation));
  }
  return result;
}

constexpr auto add_gradients_now(builder& b, int loss, const std::vector<int>& wrt) -> std::vector<int> {
  const dims d = b.node(loss).dims;
  if (const reason r = detail::refusal_of_loss(d); r != reason::accepted) refuse("gradient", r, &d, 1);
  std::vector<gradient_seed> seeds;
  // The number promotes as a value of the loss's dtype, not as a C++ number.
  seeds.push_back({loss, b.number(1.0, scalar(d.type))});
  return detail::add_gradients_from(b, seeds, wrt);
}

auto add_gradients_compiled(builder& b, int loss, const std::vector<int>& wrt) -> std::vector<int>;

/// Adds the gradients of a scalar with respect to the nodes `wrt`. Returns the node of each
/// gradient, or -1 if the scalar does not depend on the node in `wrt`. Throws shape_error if the
/// value is not a floating-point scalar.
constexpr auto add_gradients(builder& b, int loss, const std::vector<int>& wrt) -> std::vector<int> {
  if (std::is_constant_evaluated()) return detail::add_gradients_now(b, loss, wrt);
  return detail::add_gradients_compiled(b, loss, wrt);
}

}  // namespace detail

/// The gradient of a scalar with respect to a leaf, as an expression of the leaf's shape.
template <Expression E, Leaf X>
struct gradient_of : detail::shaped<detail::shape_t<X>>, detail::evaluates<gradient_of<E, X>> {
  shared<E> loss;
  X x;
  constexpr gradient_of(const E& e, const X& leaf) : loss(e), x(leaf) {}

  constexpr auto lower_into(detail::builder& b) const -> int {
    const int y = detail::lower(b, loss), at = detail::lower(b, x);
    if (b.notes != nullptr) return b.notes->gradient(y, at);
    const int g = detail::add_gradients(b, y, {at})[0];
    if (g >= 0) return g;
    author::dims none = author::scalar(dtype::float64);
    none.number = true;
    return detail::materialised(b, b.number(0.0, none), at);  // the loss does not depend on x
  }
};

/// `gradient(loss, w)`: () x (...) -> (...). Throws shape_error on evaluation if the loss is not a
/// scalar.
inline constexpr struct gradient {
  template <Expression E, Leaf X>
  constexpr auto operator()(const E& loss, const X& x) const -> gradient_of<E, X> {
    static_assert(detail::shape_t<E>::value.rank <= 0,
                  "gradient: only a scalar has one; reduce the value with sum(...) or mean(...)");
    return {loss, x};
  }
#line 1 "koila's gradient"
  template <class S, class X, author::reason Reason = author::reason::not_with_respect_to_a_leaf,
            detail::text Message = author::message<Reason>("gradient")>
    requires(!Leaf<X>)
  auto operator()(const detail::shaped<S>&, const X&) const -> detail::refused = delete;
  template <class T, class X, author::reason Reason = author::reason::not_with_respect_to_a_leaf,
            detail::text Message = author::message<Reason>("gradient")>
    requires(!Expression<T>)
  auto operator()(const T&, const X&) const -> detail::refused = delete;
} gradient;

}  // namespace koila::inline v0
