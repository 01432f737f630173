// SPDX-License-Identifier: MIT
#pragma once
// Lowering: adds the nodes of an expression to the graph.
#include <koila/expr/erased.hpp>
#include <koila/expr/let.hpp>
#include <koila/graph/fused.hpp>
#include <koila/graph/info_of.hpp>

#include <boost/hana/for_each.hpp>
#include <boost/hana/unpack.hpp>

namespace koila::inline v0 {

namespace detail {

/// Lowers an expression that no element-wise op reads. Offers the builder a fused kernel for the
/// tree of ops whose root is this expression.
template <Expression E>
constexpr auto lower_root(builder& b, const E& e) -> int {
  detail::offer_fused<E>(b);
  return lower(b, e);
}

template <Leaf E>
constexpr auto lower_one(builder& b, const E& e) -> int {
  return b.leaf(shared_state(e.state));
}
constexpr auto lower_one(builder& b, const number_leaf& e) -> int { return b.number(e.value, e.own_dims); }
constexpr auto lower_one(builder& b, const traced_value& e) -> int { return e.trace->lower(b, e.id); }

template <class E>
constexpr auto lower_one(builder& b, const shared<E>& e) -> int {
  const int known = b.lowered(e.held.get());
  return known >= 0 ? known : b.remember(e.held.get(), lower_root(b, e.held->value));
}

template <class Op, class Shape, class... Xs>
constexpr auto lower_one(builder& b, const node<Op, Shape, Xs...>& e) -> int {
  int in[most_operands + 1] = {};
  int n = 0;
  hana::for_each(e.operands, [&](const auto& x) {
    int id = -1;
    if constexpr (element_tree<node<Op, Shape, Xs...>>::ops > 0) id = lower(b, x);
    else id = lower_root(b, x);
    in[n++] = id;
  });
  if constexpr (requires { e.attributes.as_bound(b.bound, dims()); })
    if (b.notes == nullptr)
      return b.add(info_of<Op, sizeof...(Xs)>(), in, n,
                   box_attributes<Op>(e.attributes.as_bound(b.bound, b.node(in[0]).dims)));
  return b.add(info_of<Op, sizeof...(Xs)>(), in, n, box_attributes<Op>(e.attributes));
}

// Collects the erased expressions directly below an expression.
using erased_list = std::vector<const erased_base*>;
template <class E>
constexpr void erased_below(const E&, erased_list&) {}
template <auto... D>
constexpr void erased_below(const erased<D...>& e, erased_list& list) {
  list.push_back(e.held.get());
}
template <class E>
constexpr void erased_below(const shared<E>& e, erased_list& list);
template <class Op, class Shape, class... Xs>
constexpr void erased_below(const node<Op, Shape, Xs...>& e, erased_list& list) {
  hana::for_each(e.operands, [&](const auto& x) { erased_below(x, list); });
}
template <class E>
constexpr void erased_below(const shared<E>& e, erased_list& list) {
  erased_below(e.held->value, list);
}

/// Gives the dims of a value the stated axes. Throws shape_error if the value does not have the
/// stated rank, extents or dtype. If the builder records a signature, this function only records
/// the address of `stated`.
constexpr auto require_stated(builder& b, const dims& stated, int v) -> int {
  if (b.notes != nullptr) {
    b.notes->stated(stated);
    return v;
  }
  const dims got = b.node(v).dims;
  bool fits = !stated.ranked() || stated.rank == got.rank;
  dims named = got;
  for (int i = 0; fits && i < stated.rank; ++i) {
    const extent& e = stated.e[i];
    const index_t n = e.named() ? b.bound.find(e.axis) : e.n;
    fits = n < 0 || n == got.e[i].n;
    if (!got.e[i].named()) named.e[i].axis = e.axis;
  }
  const bool dtype_fits = stated.type == dtype::unknown || stated.type == got.type;
  const dims both[] = {stated, got};
  if (!fits || !dtype_fits)
    refuse(erased_rule::name, fits ? reason::declared_dtype_differs : reason::declared_shape_differs, both, 2);
  return named == got ? v : b.with_stated_axes(named, v);
}

template <class E, class Shape>
struct erased_model final : erased_base {
  static constexpr dims stated = Shape::value, seen = shape_t<E>::value;
  static constexpr bool sure = rules::same_shape(stated, seen) == tristate::yes && stated.type == seen.type;
  E e;
  constexpr explicit erased_model(const E& x) : e(x) {}
  constexpr ~erased_model() override {}
  constexpr auto lower_into(builder& b) const -> int override {
    if constexpr (sure || !(stated.ranked() || stated.type != dtype::unknown)) return lower_root(b, e);
    else return require_stated(b, stated, lower_root(b, e));
  }
  constexpr void below(std::vector<const erased_base*>& list) const override { erased_below(e, list); }
};

/// Uses a worklist instead of recursion, so that a chain of 10,000 blocks does not exhaust the
/// stack.
template <auto... D>
constexpr auto lower_one(builder& b, const erased<D...>& e) -> int {
  erased_list todo, below;
  todo.push_back(e.held.get());
  while (!todo.empty()) {
    const erased_base* top = todo.back();
    bool ready = true;
    if (b.lowered(top) < 0) {
      below.clear();
      top->below(below);
      for (const erased_base* x : below) {
        if (b.lowered(x) >= 0) continue;
        todo.push_back(x);
        ready = false;
      }
      if (ready) b.remember(top, top->lower_into(b));
    }
    if (ready) todo.pop_back();
  }
  return b.lowered(e.held.get());
}

/// Adds an expression to the graph and returns its node. Throws shape_error if a rule refuses
/// extents or dtypes that are known only at run time.
template <Expression E>
constexpr auto lower(builder& b, const E& e) -> int {
  if constexpr (requires { e.lower_into(b); }) return e.lower_into(b);
  else return detail::lower_one(b, e);
}

}  // namespace detail

template <auto... D>
template <Expression X>
  requires(!std::same_as<X, erased<D...>> &&
           Accepts<detail::erased_rule, typename erased<D...>::own_shape, detail::shape_t<X>>)
constexpr erased<D...>::erased(const X& x) : held(new detail::erased_model<X, own_shape>(x)) {}

}  // namespace koila::inline v0
