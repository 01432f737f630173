// SPDX-License-Identifier: MIT
#pragma once
// Base of every op. It turns a call into a node, or refuses it with the rule's reason.
#include <koila/expr/invalid_call.hpp>
#include <koila/expr/leaf.hpp>
#include <koila/expr/node.hpp>
#include <koila/shape/elements.hpp>
#include <koila/shape/flow.hpp>
#include <koila/shape/op_cost.hpp>
#include <koila/shape/rules.hpp>

namespace koila::inline v0 {

namespace author {

/// Takes the place of a gradient in the result of a gradient function, for an operand that has no
/// gradient.
inline constexpr struct no_gradient {
} no_gradient;

}  // namespace author

namespace detail {

/// The gradients of an op's N operands. A default traced_value means no gradient.
template <std::size_t N>
struct traced_gradients {
  traced_value gradients[N];
};

template <class T>
inline constexpr bool is_traced_value = false;
template <>
inline constexpr bool is_traced_value<traced_value> = true;

/// True for calls with traced values and without any other expressions or tensors.
template <class... Ts>
inline constexpr bool on_traced_values =
    (is_traced_value<Ts> || ...) && ((is_traced_value<Ts> || !(Expression<Ts> || PlainTensor<Ts>)) && ...);

constexpr auto traced_value_or_none(const traced_value& s) -> const traced_value& { return s; }
constexpr auto traced_value_or_none(const struct no_gradient&) -> traced_value { return {}; }

}  // namespace detail

namespace author {

/// Returns the result of an op's gradient function. `g` has an expression or no_gradient for each
/// operand.
template <class... G>
constexpr auto gradients(const G&... g) {
  static_assert(((Expression<G> || std::is_same_v<G, struct no_gradient>) && ...),
                "gradients: for each operand an expression or no_gradient");
  if constexpr (requires { (detail::traced_value_or_none(g), ...); })
    return detail::traced_gradients<sizeof...(G)>{{detail::traced_value_or_none(g)...}};
  else return hana::tuple<G...>(g...);
}

}  // namespace author

namespace detail {

/// Runs an op on plain tensors immediately; defined in run/.
template <class Op>
struct eager;

/// Records a call on traced values; defined in graph/.
template <class Op>
struct tracer;

template <class E>
  requires Expression<std::remove_cvref_t<E>>
constexpr auto as_operand(E&& e) -> std::remove_cvref_t<E> {
  if constexpr (Leaf<std::remove_cvref_t<E>>)
    return std::as_const(e);  // a leaf is copied, not moved from: the caller binds it later
  else return std::forward<E>(e);
}
template <Number N>
constexpr auto as_operand(N n) -> number_leaf {
  return number_leaf(n);
}
template <PlainTensor T>
auto as_operand(const T& t) -> tensor_leaf {
  return tensor_leaf(hold_tensor(t));
}

/// Makes a node from the arguments of a call. Operands come first, attributes after them.
template <class Op, class Node, std::size_t... X, std::size_t... A, class... Ts>
constexpr auto make_node(std::index_sequence<X...>, std::index_sequence<A...>, std::tuple<Ts...> ts) -> Node {
  return Node(attributes_from<Op>(std::get<sizeof...(X) + A>(ts)...), as_operand(std::get<X>(std::move(ts)))...);
}

template <class T>
struct length;
template <class... Ts>
struct length<type_list<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};

/// Calls an op with attributes that are known when the graph is built. Gradients and expansions
/// call ops in this way. The return type is spelled out, because clang cannot deduce it if an op's
/// gradient calls the op itself.
template <class Op, Expression... X>
constexpr auto call_with(const attributes_t<Op>& a, const X&... x)
    -> std::conditional_t<(is_traced_value<X> && ...), traced_value, node<Op, shape<unranked>, X...>> {
  if constexpr ((is_traced_value<X> && ...)) return tracer<Op>::with(a, x...);
  else return node<Op, shape<unranked>, X...>(a, x...);
}

/// True for calls that run immediately: at least one operand is a tensor, and all other operands
/// are tensors, numbers, parameters or buffers. So a model called with a tensor returns a tensor.
template <class... Ts>
inline constexpr bool at_once = (PlainTensor<Ts> || ...) && ((!Expression<Ts> || owns_tensor<Ts>) && ...);

// This is a variable and not a conjunction in a concept, because clang would explain each
// condition in every message.
template <class Op, class... Ts>
inline constexpr bool accepts_call = ((Expression<Ts> || PlainTensor<Ts>) || ...) && Accepts<Op, Ts...>;
template <class Op, class... Ts>
  requires on_traced_values<Ts...>
inline constexpr bool accepts_call<Op, Ts...> = true;

template <class T>
using operand_t = decltype(as_operand(std::declval<const T&>()));

/// The type of a call's result. It is spelled out, because clang cannot deduce it if an op's
/// gradient calls the op itself.
template <class Op, class Operands, class... Ts>
struct lazy_result;
template <class Op, class... Xs, class... Ts>
struct lazy_result<Op, type_list<Xs...>, Ts...> {
  using type = node<Op, result_of<Op, Ts...>, operand_t<Xs>...>;
};
template <class Op, class... Ts>
struct call_result : lazy_result<Op, typename split_arguments<Op, 0, type_list<>, Ts...>::operands, Ts...> {};
template <class Op, class... Ts>
  requires at_once<Ts...>
struct call_result<Op, Ts...> {
  using type = at::Tensor;
};
template <class Op, class... Ts>
  requires on_traced_values<Ts...>
struct call_result<Op, Ts...> {
  using type = traced_value;
};

/// True if no overload of the op accepts the call, and no overload refuses the call because of
/// its operands' shapes.
template <class Op, class... Ts>
inline constexpr bool is_invalid =
    !refused_by_shapes<Op::most_before_attributes, Ts...>() && !Op::template takes_form<Ts...>;
template <class Op, class... Ts>
  requires accepts_call<Op, Ts...>
inline constexpr bool is_invalid<Op, Ts...> = false;

/// Error message of an invalid call. For other calls the struct is empty, so overload resolution
/// discards the overload that uses the struct.
template <class Op, class... Ts>
struct invalid_call {};
template <class Op, class... Ts>
  requires is_invalid<Op, Ts...>
struct invalid_call<Op, Ts...> : call_diagnostic<Op, Ts...> {};

/// Error message of a list of Ns in braces after some arguments: `sum(x, {0, 1})`,
/// `norm(x, 2, {0, 1})`.
template <class Op, class N, class... Before>
struct braces {};
template <class Op, Attribute N, class... Before>
  requires(!std::same_as<N, char>)
struct braces<Op, N, Before...> : diagnostic_of_first<Op, reason::list_in_braces, Before...> {};

/// Error message of a call with operands of shapes S and attributes As. The struct is empty if the
/// op accepts the call, or if not all As are attributes.
template <class Op, class Attributes, class... S>
struct refusal {};
template <class Op, class... As, class... S>
  requires((Attribute<As> && ...) && !verdict_of<Op, S..., As...>::value.accepted())
struct refusal<Op, type_list<As...>, S...> {
  static constexpr author::reason reason = verdict_of<Op, S..., As...>::value.reason;
  static consteval auto sentence() { return verdict_of<Op, S..., As...>::sentence(); }
};

/// Error message of a layer that calls the op with X and then with `Own`, the layer's own
/// operands. The struct is empty if the op accepts X.
template <class Op, class X, class... Own>
struct layer_refusal {};
template <class Op, class X, class... Own>
  requires(!verdict_of<Op, X, Own...>::value.accepted())
struct layer_refusal<Op, X, Own...> {
  static constexpr author::reason reason = verdict_of<Op, X, Own...>::value.reason;
  static consteval auto sentence() { return verdict_of<Op, X, Own...>::sentence(); }
};

/// True if a function's op does not accept the call, and no other overload refuses the call.
/// Another overload refuses each call that consists of N expressions followed by attributes. False
/// if no argument is an expression, because LibTorch's function may accept the call.
template <class Op, int N, class... Ts>
inline constexpr bool is_invalid_function = false;
template <class Op, int N, class... Ts>
  requires((Expression<Ts> || ...) && !accepts_call<Op, Ts...>)
inline constexpr bool is_invalid_function<Op, N, Ts...> =
    !(form_of<Ts...>().operands == N && form_of<Ts...>().in_order);
template <class Op, int N, class... Ts>
struct invalid_function_call {};
template <class Op, int N, class... Ts>
  requires is_invalid_function<Op, N, Ts...>
struct invalid_function_call<Op, N, Ts...> : call_diagnostic<Op, Ts...> {};

/// Calls an op that need not be defined yet.
template <class Op, class... Ts>
constexpr auto call(Ts&&... ts) -> typename call_result<Op, std::remove_cvref_t<Ts>...>::type {
  return Op{}(std::forward<Ts>(ts)...);
}

}  // namespace detail

namespace detail {

/// The names of namespace author as members, so that the struct of an op need not qualify them.
struct author_names {
  using attr_list = author::attr_list;
  using batch_relation = author::batch_relation;
  using choice = author::choice;
  using dims = author::dims;
  using extent = author::extent;
  using layout = author::layout;
  using monoid = author::monoid;
  using need = author::need;
  using op_cost = author::op_cost;
  using reason = author::reason;
  using relations = author::relations;
  using value = author::value;
  using verdict = author::verdict;
  template <class T>
  using attr = author::attr<T>;
  static constexpr struct author::no_gradient no_gradient{};
  static constexpr auto gradients(const auto&... g) { return author::gradients(g...); }
  static constexpr auto partial(monoid m) -> batch_relation { return author::partial(m); }
  static constexpr auto promote(dtype a, dtype b) -> dtype { return author::promote(a, b); }
  static constexpr auto samples_along(int axis, index_t outer = 1, index_t inner = 1) -> batch_relation {
    return author::samples_along(axis, outer, inner);
  }
  static constexpr auto scalar(dtype t = dtype::unknown) -> dims { return author::scalar(t); }
};

}  // namespace detail

namespace author {

/// Base of an op. An op must derive from op<itself> and define its rule. A call with an expression
/// makes a node; a call with tensors runs the op. `Operands` is the maximum number of operands
/// before attributes.
// The struct has few overloads, because clang explains each overload in every message. The name
// in #line is deliberately not the name of a file, so that compilers quote the user's line instead
// of a line of this header.
template <class Op, int Operands = 2>
struct op;

}  // namespace author

namespace detail {
/// Two or more operands in braces, of any types.
struct braced_operands {
  template <class... Ts>
    requires(sizeof...(Ts) > 1)
  constexpr braced_operands(const Ts&...) {}
};
}  // namespace detail

// clang-format off: clang prints every line of a refusal, so each refusal is on one line
#line 1 "koila's op"
namespace author {

template <class Op>
struct op<Op, 0> : detail::author_names {
  static constexpr int most_before_attributes = 0;
  /// True for forms of a call that additional overloads of an op accept or refuse. An op with such
  /// overloads must define this variable.
  template <class...>
  static constexpr bool takes_form = false;

  template <class... Ts>
    requires detail::accepts_call<Op, std::remove_cvref_t<Ts>...>
  constexpr auto operator()(Ts&&... ts) const -> typename detail::call_result<Op, std::remove_cvref_t<Ts>...>::type {
    if constexpr (detail::on_traced_values<std::remove_cvref_t<Ts>...>) {
      return detail::tracer<Op>::call(ts...);
    } else if constexpr (!detail::at_once<std::remove_cvref_t<Ts>...>) {
      using S = detail::split_arguments<Op, 0, detail::type_list<>, std::remove_cvref_t<Ts>...>;
      return detail::make_node<Op, typename detail::call_result<Op, std::remove_cvref_t<Ts>...>::type>(
          std::make_index_sequence<detail::length<typename S::operands>::value>{},
          std::make_index_sequence<detail::length<typename S::attributes>::value>{},
          std::tuple<Ts&&...>(std::forward<Ts>(ts)...));
    } else {
      return detail::eager<Op>::call(ts...);
    }
  }

  template <class... S, reason Reason = detail::verdict_of<Op, S...>::value.reason, detail::text Message = detail::verdict_of<Op, S...>::sentence()> requires(Reason != reason::accepted) auto operator()(const detail::shaped<S>&...) const -> detail::refused = delete;
  template <class... Ts, reason Reason = detail::invalid_call<Op, Ts...>::reason, detail::text Message = detail::invalid_call<Op, Ts...>::sentence()> auto operator()(const Ts&...) const -> detail::refused = delete;
  template <class X, class N, std::size_t n, class... Ts, reason Reason = detail::braces<Op, N, X>::reason, detail::text Message = detail::braces<Op, N, X>::sentence()> auto operator()(const X&, const N (&)[n], const Ts&...) const -> detail::refused = delete;
  template <class X, class Y, class N, std::size_t n, class... Ts, reason Reason = detail::braces<Op, N, X, Y>::reason, detail::text Message = detail::braces<Op, N, X, Y>::sentence()> auto operator()(const X&, const Y&, const N (&)[n], const Ts&...) const -> detail::refused = delete;
  template <class X, class N, std::size_t n, class M, std::size_t m, class... Ts, reason Reason = detail::braces<Op, N, X>::reason, detail::text Message = detail::braces<Op, N, X>::sentence()> auto operator()(const X&, const N (&)[n], const M (&)[m], const Ts&...) const -> detail::refused = delete;
};

template <class Op>
struct op<Op, 1> : op<Op, 0> {
  static constexpr int most_before_attributes = 1;
  using op<Op, 0>::operator();
  template <class S, class A, class... As, reason Reason = detail::refusal<Op, detail::type_list<A, As...>, S>::reason, detail::text Message = detail::refusal<Op, detail::type_list<A, As...>, S>::sentence()> auto operator()(const detail::shaped<S>&, const A&, const As&...) const -> detail::refused = delete;
};

template <class Op>
struct op<Op, 2> : op<Op, 1> {
  static constexpr int most_before_attributes = 2;
  using op<Op, 1>::operator();
  template <class S, class R, class A, class... As, reason Reason = detail::refusal<Op, detail::type_list<A, As...>, S, R>::reason, detail::text Message = detail::refusal<Op, detail::type_list<A, As...>, S, R>::sentence()> auto operator()(const detail::shaped<S>&, const detail::shaped<R>&, const A&, const As&...) const -> detail::refused = delete;
};

template <class Op>
struct op<Op, 3> : op<Op, 2> {
  static constexpr int most_before_attributes = 3;
  using op<Op, 2>::operator();
  template <class S, class R, class Q, class A, class... As, reason Reason = detail::refusal<Op, detail::type_list<A, As...>, S, R, Q>::reason, detail::text Message = detail::refusal<Op, detail::type_list<A, As...>, S, R, Q>::sentence()> auto operator()(const detail::shaped<S>&, const detail::shaped<R>&, const detail::shaped<Q>&, const A&, const As&...) const -> detail::refused = delete;
  template <class X, class Y, class Z, class N, std::size_t n, class... Ts, reason Reason = detail::braces<Op, N, X, Y, Z>::reason, detail::text Message = detail::braces<Op, N, X, Y, Z>::sentence()> auto operator()(const X&, const Y&, const Z&, const N (&)[n], const Ts&...) const -> detail::refused = delete;
};

template <class Op>
struct op<Op, 4> : op<Op, 3> {
  static constexpr int most_before_attributes = 4;
  using op<Op, 3>::operator();
  template <class S, class R, class Q, class P, class A, class... As, reason Reason = detail::refusal<Op, detail::type_list<A, As...>, S, R, Q, P>::reason, detail::text Message = detail::refusal<Op, detail::type_list<A, As...>, S, R, Q, P>::sentence()> auto operator()(const detail::shaped<S>&, const detail::shaped<R>&, const detail::shaped<Q>&, const detail::shaped<P>&, const A&, const As&...) const -> detail::refused = delete;
};

template <class Op>
struct op<Op, 5> : op<Op, 4> {
  static constexpr int most_before_attributes = 5;
  using op<Op, 4>::operator();
  template <class S, class R, class Q, class P, class O, class A, class... As, reason Reason = detail::refusal<Op, detail::type_list<A, As...>, S, R, Q, P, O>::reason, detail::text Message = detail::refusal<Op, detail::type_list<A, As...>, S, R, Q, P, O>::sentence()> auto operator()(const detail::shaped<S>&, const detail::shaped<R>&, const detail::shaped<Q>&, const detail::shaped<P>&, const detail::shaped<O>&, const A&, const As&...) const -> detail::refused = delete;
};

}  // namespace author

namespace detail {

/// Refuses wrong attributes of an op without operands.
template <class Op>
struct refusing_constant {
  template <class A, class... As, reason Reason = detail::refusal<Op, detail::type_list<A, As...>>::reason, text Message = detail::refusal<Op, detail::type_list<A, As...>>::sentence()> auto operator()(const A&, const As&...) const -> refused = delete;
  template <class N, std::size_t n, class... Ts, reason Reason = detail::braces<Op, N>::reason, text Message = detail::braces<Op, N>::sentence()> auto operator()(const N (&)[n], const Ts&...) const -> refused = delete;
};

/// Base of a layer that calls `Op` with a value and the layer's own operands. If the op refuses
/// the value, this struct refuses the call of the layer, so that compilers quote the caller's
/// line.
template <class Op, class... Own>
struct refusing_layer {
  template <class X>
  static constexpr bool refuses = [] {
    if constexpr (Expression<X>) return !verdict_of<Op, X, Own...>::value.accepted();
    else return false;
  }();
  template <class S, reason Reason = detail::layer_refusal<Op, S, Own...>::reason, text Message = detail::layer_refusal<Op, S, Own...>::sentence()> auto operator()(const shaped<S>&) const -> refused = delete;
};

/// Refuses operands in braces, which LibTorch accepts: cat({x, y}).
template <class Op>
struct refusing_braces {
  template <class... As, reason Reason = reason::operands_in_braces, text Message = detail::diagnostic_of_first<Op, Reason, As...>::sentence()> auto operator()(detail::braced_operands, const As&...) const -> refused = delete;
};

}  // namespace detail

}  // namespace koila
// clang-format on
