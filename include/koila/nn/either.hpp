// SPDX-License-Identifier: MIT
#pragma once
// Helpers for layers whose operand is either an expression or a tensor.
#include <koila/expr/erased.hpp>
#include <koila/expr/let.hpp>
#include <koila/run/eager.hpp>

namespace koila::inline v0::nn {

namespace detail {

template <class Shape>
struct erased_of_shape;
template <auto... D>
struct erased_of_shape<shape<D...>> {
  using type = erased<D...>;
};
/// The type of a variable in a loop over layers: a type-erased expression of this shape, or a
/// tensor.
template <class X>
struct loop_value {
  using type = typename erased_of_shape<koila::detail::shape_t<X>>::type;
};
template <PlainTensor X>
struct loop_value<X> {
  using type = X;
};

/// Returns `let(x)` if x is an expression, and x itself if x is a tensor.
template <class X>
auto shared(const X& x) {
  if constexpr (PlainTensor<X>) return x;
  else return let(x);
}

/// Returns e, an expression of the parameters `p` alone, for an op that combines e with x. If x is
/// a tensor, computes e immediately. The result then has no gradient: LibTorch's backward throws
/// when it reaches the result (see computed_at_once).
template <class X, class E, class... P>
auto beside(const X&, const E& e, const P&... p) {
  if constexpr (PlainTensor<X>) {
    const X own[] = {tensor_of(p)...};
    const X* in[sizeof...(P)];
    for (std::size_t k = 0; k < sizeof...(P); ++k) in[k] = &own[k];
    return koila::detail::computed_at_once("a sum or a part of parameters", in, static_cast<int>(sizeof...(P)), X(e));
  } else {
    return e;
  }
}

/// True if some operands are expressions and others are tensors. In that case, the tensors must
/// become expressions (`lazily`), so that nothing is computed immediately.
template <class... Ts>
inline constexpr bool mixed = (PlainTensor<Ts> || ...) && (Expression<Ts> || ...);
/// Returns x if x is an expression, and `lazy(x)` if x is a tensor.
template <class X>
auto lazily(const X& x) {
  if constexpr (PlainTensor<X>) return koila::lazy(x);
  else return x;
}

}  // namespace detail

}  // namespace koila::inline v0::nn
