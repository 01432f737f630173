// SPDX-License-Identifier: MIT
#pragma once
// Shared by functions that return the parts of a value: chunk, split, unbind.
#include <koila/ops/internal/slice_backward.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace koila::inline v0::detail {

/// A view of one part of a dim. The attributes must have the member `dim` and four member
/// functions. known() returns true if the range of the part is known. start(n) and length(n) return
/// the range of the part in a dim of extent n. problem(n) returns the reason for a refusal if the
/// part does not exist.
template <class Op>
struct part_op : op<Op, 1> {
  static constexpr auto rule(const dims& x, const auto& a) -> verdict
    requires requires { a.start(0); }
  {
    if (x.rank == 0) return reason::no_rule_for_these_ranks;
    if (!x.ranked()) return dims(x.type);
    if (!a.dim.known) return open_dims(x.rank, x.type);
    const int d = wrap(a.dim.value, x.rank);
    if (d < 0) return reason::dimension_out_of_range;
    dims out = x;
    out.e[d] = {};
    if (!x.e[d].known() || !a.known()) return out;
    if (const reason r = a.problem(x.e[d].n); r != reason::accepted) return r;
    out.e[d] = rules::part_extent(x.e[d], a.length(x.e[d].n));
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const auto& a) -> relations {
    return flows::part_flow(x, wrap(a.dim.value, x.dims.rank), false);
  }
  static constexpr auto is_noop(const dims& x, const auto& a) -> bool {
    const index_t n = x.e[wrap(a.dim.value, x.rank)].n;
    return a.length(n) == n;
  }
  static constexpr auto view_layout(layout operand_layout, const dims& x, const auto& a) -> layout {
    return part_layout(operand_layout, x, wrap(a.dim.value, x.rank));
  }
  template <class A>
    requires requires(const A& a) { a.start(0); }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const A& a) {
    const dims d = dims_of(x);
    const index_t n = d.ranked() ? d.e[wrap(a.dim.value, d.rank)].n : 0;
    return gradients(internal::slice_backward(dy, x, a.dim, attr<index_t>(a.start(n))));
  }
};

/// The dim among the arguments of a call, or 0 if a dim is not given.
constexpr auto dim_among() { return hana::llong_c<0>; }
template <class D>
constexpr auto dim_among(const D& d) {
  if constexpr (is_named<D>::value) return d.value;
  else return d;
}

/// The extent of a dim of x if the extent is known at compile time, else -1.
template <Expression X, class Dim>
constexpr auto static_extent() -> index_t {
  constexpr dims d = shape_t<X>::value;
  if constexpr (requires { Dim::value; }) {
    if constexpr (constexpr int k = d.ranked() ? wrap(Dim::value, d.rank) : -1; k >= 0) return d.e[k].n;
  }
  return -1;
}

/// The dims of a tensor. The function is a template because at::Tensor is only forward-declared
/// here.
template <PlainTensor T>
auto sizes_of(const T& x) -> dims {
  dims d = open_dims(static_cast<int>(std::min<index_t>(x.dim(), dims::capacity)));
  for (int i = 0; i < d.rank; ++i) d.e[i] = extent{x.size(i), {}, true};
  return d;
}

/// Returns the tuple of f(0_c), f(1_c), ..., f(N - 1), and calls f in this order.
template <index_t N>
constexpr auto tuple_of(const auto& f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<decltype(f(hana::llong_c<static_cast<long long>(I)>))...>{
        f(hana::llong_c<static_cast<long long>(I)>)...};
  }(std::make_index_sequence<static_cast<std::size_t>(N)>{});
}

}  // namespace koila::inline v0::detail

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file;
// see op.hpp.
#line 1 "koila's op"
namespace koila::inline v0::detail {

/// The index of the part whose rule checks a call. This is the last part if N is a number of
/// parts, and the first part if N is a list of lengths.
template <class N>
struct part_asked {};
template <class I, I n>
struct part_asked<hana::integral_constant<I, n>> {
  using type = hana::integral_constant<I, (n > 0 ? n - 1 : 0)>;
};
template <class... N>
struct part_asked<list_of<N...>> {
  using type = hana::integral_constant<int, 0>;
};

template <class N>
concept Parts = requires { typename part_asked<N>::type; };

/// The diagnostic of a call whose parts are given neither as a constant nor as a list. If `Numbers`
/// is true, the parts of a tensor may also be given as a run-time number.
template <class Part, bool Numbers, class... Ts>
struct invalid_parts_call : diagnostic_of_first<Part, reason::parts_are_not_constant, Ts...> {};
template <class Part, bool Numbers, class X, class... Ts>
  requires(!Expression<X> && !PlainTensor<X>)
struct invalid_parts_call<Part, Numbers, X, Ts...> : diagnostic_of_first<Part, reason::no_expression> {};
template <class Part, bool Numbers, Expression X, Parts N, Attribute... D>
struct invalid_parts_call<Part, Numbers, X, N, D...> {};
template <class Part, bool Numbers, PlainTensor X, Parts N, class... D>
struct invalid_parts_call<Part, Numbers, X, N, D...> : invalid_call<Part, X, N, typename part_asked<N>::type, D...> {};
template <class Part, PlainTensor X, Number N, class... D>
  requires(sizeof...(D) < 2)
struct invalid_parts_call<Part, true, X, N, D...> {};

/// The diagnostic of a call with an argument other than a value and a dim.
template <class Element, class... Ts>
struct invalid_dims_call : diagnostic_of_first<Element, reason::not_an_argument, Ts...> {};
template <class Element, class X, class... Ts>
  requires(!Expression<X> && !PlainTensor<X>)
struct invalid_dims_call<Element, X, Ts...> : diagnostic_of_first<Element, reason::no_expression> {};
template <class Element, class X, Attribute... D>
  requires((Expression<X> || PlainTensor<X>) && sizeof...(D) < 2)
struct invalid_dims_call<Element, X, D...> {};

/// Refuses a call that returns a tuple of parts if `Part`, the op of a single part, refuses the
/// call.
template <class Part, bool Numbers>
struct refusing_parts {
  template <class... Ts, reason Reason = detail::invalid_parts_call<Part, Numbers, Ts...>::reason,
            text Message = detail::invalid_parts_call<Part, Numbers, Ts...>::sentence()>
  auto operator()(const Ts&...) const -> refused = delete;
  template <class X, class N, std::size_t n, class... Ts, reason Reason = detail::braces<Part, N, X>::reason,
            text Message = detail::braces<Part, N, X>::sentence()>
  auto operator()(const X&, const N (&)[n], const Ts&...) const -> refused = delete;
  template <class S, class N, Attribute... As,
            reason Reason = verdict_of<Part, S, N, typename detail::part_asked<N>::type, As...>::value.reason,
            text Message = verdict_of<Part, S, N, typename detail::part_asked<N>::type, As...>::sentence()>
    requires(Reason != reason::accepted)
  auto operator()(const shaped<S>&, const N&, const As&...) const -> refused = delete;
};

/// The verdict on a call such as `unbind`, which returns a tuple with one value for each index
/// along a dim. `Element` is the op that returns one of these values. `Element` is the op that
/// returns one element.
template <class Element, class X, class... D>
using of_dim = verdict_of<Element, X, decltype(dim_among(std::declval<D>()...)), hana::llong<0>>;
template <class Element, class X, class... D>
inline constexpr bool has_dim = of_dim<Element, X, D...>::value.reason != reason::dimension_out_of_range;

/// Refuses a call that returns a tuple of the elements of a dim if the dim is out of range.
template <class Element>
struct refusing_dims {
  template <class... Ts, reason Reason = detail::invalid_dims_call<Element, Ts...>::reason,
            text Message = detail::invalid_dims_call<Element, Ts...>::sentence()>
  auto operator()(const Ts&...) const -> refused = delete;
  template <class S, Attribute... D, reason Reason = detail::of_dim<Element, S, D...>::value.reason,
            text Message = detail::of_dim<Element, S, D...>::sentence()>
    requires(Reason == reason::dimension_out_of_range)
  auto operator()(const shaped<S>&, const D&...) const -> refused = delete;
};

}  // namespace koila::inline v0::detail
