#pragma once
// What ops share whose result is two values: the elements found, and where.
#include <koila/expr/let.hpp>
#include <koila/expr/op.hpp>

#include <tuple>

namespace koila {

/// An op that is also called with attributes, and then gives values and indices: auto [v, i] = max(x, -1_c). Both are expressions,
/// or tensors of a tensor; what is computed for both is computed once.
template <class Op, class Values, class Indices>
struct values_and_indices : op<Op> {
  using op<Op>::operator();

  template <class X, Attribute A, Attribute... As>
    requires detail::accepts_call<Values, X, A, As...>
  constexpr auto operator()(const X& x, const A& a, const As&... as) const {
    const auto one = let(x);
    return std::tuple(Values{}(one, a, as...), Indices{}(one, a, as...));
  }

#line 1 "koila's op"
  template <class S, Attribute A, Attribute... As, why Reason = verdict_of<Values, S, A, As...>::value.reason,
            text Says = verdict_of<Values, S, A, As...>::sentence()>
    requires(Reason != why::accepted)
  auto operator()(const shaped<S>&, const A&, const As&...) const -> refused = delete;
};

}  // namespace koila
