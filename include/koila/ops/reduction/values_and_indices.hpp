// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops that return two values: the elements that were found, and their indices.
#include <koila/expr/let.hpp>
#include <koila/expr/op.hpp>

#include <tuple>

namespace koila::inline v0::detail {

template <class Values, std::size_t Least, class T, class... Ts>
struct invalid_call_beside {};
template <class Values, std::size_t Least, class T, class... Ts>
  requires(sizeof...(Ts) >= Least && !accepts_call<Values, T, Ts...> &&
           !(form_of<T, Ts...>().operands == 1 && form_of<T, Ts...>().in_order) &&
           !(Least > 0 &&
             ((Expression<Ts> || PlainTensor<Ts>) && ...)))  // the op itself decides on calls with several values
struct invalid_call_beside<Values, Least, T, Ts...> : call_diagnostic<Values, T, Ts...> {};

/// A function object that returns values and indices, as in auto [v, i] = sort(x). A call must have
/// at least `Least` attributes. Values and indices are expressions, or tensors if x is a tensor.
/// Their common computations are done once.
template <class Values, class Indices, std::size_t Least = 0>
struct values_beside_indices {
  template <class X, Attribute... As>
    requires(sizeof...(As) >= Least && detail::accepts_call<Values, X, As...>)
  constexpr auto operator()(const X& x, const As&... as) const {
    const auto one = let(x);
    return std::tuple{Values{}(one, as...), Indices{}(one, as...)};  // evaluated in this order
  }

#line 1 "koila's op"
  template <class S, Attribute... As, reason Reason = verdict_of<Values, S, As...>::value.reason,
            text Message = verdict_of<Values, S, As...>::sentence()>
    requires(sizeof...(As) >= Least && Reason != reason::accepted)
  auto operator()(const shaped<S>&, const As&...) const -> refused = delete;
  template <class T, class... Ts, reason Reason = detail::invalid_call_beside<Values, Least, T, Ts...>::reason,
            text Message = detail::invalid_call_beside<Values, Least, T, Ts...>::sentence()>
  auto operator()(const T&, const Ts&...) const -> refused = delete;
};

/// An op that returns values and indices if it is called with attributes, as in auto [v, i] =
/// max(x, -1_c). Without attributes, as in max(x), the op returns a single value.
template <class Op, class Values, class Indices>
struct values_and_indices : op<Op, 0>, values_beside_indices<Values, Indices, 1> {
  template <class... Ts>
  static constexpr bool takes_form = sizeof...(Ts) > 1;
  using op<Op, 0>::operator();
  using values_beside_indices<Values, Indices, 1>::operator();
};

}  // namespace koila::inline v0::detail
