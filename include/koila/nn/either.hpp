#pragma once
// For layers whose operand is either an expression or a tensor.
#include <koila/expr/erased.hpp>
#include <koila/expr/let.hpp>
#include <koila/run/eager.hpp>

namespace koila::nn {

namespace detail {

template <class Shape>
struct erased_of_shape;
template <auto... D>
struct erased_of_shape<shape<D...>> {
  using type = erased<D...>;
};
/// A value of a loop over layers: an expression of this shape whose type is forgotten, or a tensor.
template <class X>
struct loop_value {
  using type = typename erased_of_shape<shape_t<X>>::type;
};
template <Tensor X>
struct loop_value<X> {
  using type = X;
};

/// `let` for what may be a tensor.
template <class X>
auto once(const X& x) {
  if constexpr (Tensor<X>) return x;
  else return let(x);
}

/// What is made of the parameters `p` alone, beside x: computed at once where x is a tensor, and
/// then as what is computed of them.
template <class X, class E, class... P>
auto beside(const X&, const E& e, const P&... p) {
  if constexpr (Tensor<X>) {
    const X own[] = {tensor_of(p)...};
    const X* in[sizeof...(P)];
    for (std::size_t k = 0; k < sizeof...(P); ++k) in[k] = &own[k];
    return koila::detail::computed_at_once("a sum or a part of parameters", in, static_cast<int>(sizeof...(P)), X(e));
  } else {
    return e;
  }
}

/// Whether some operands are expressions and others tensors: then the parameters that meet the
/// tensors must not be computed at once.
template <class... Ts>
inline constexpr bool mixed = (Tensor<Ts> || ...) && (Expression<Ts> || ...);
/// An expression, of a tensor too.
template <class X>
auto lazily(const X& x) {
  if constexpr (Tensor<X>) return koila::lazy(x);
  else return x;
}

}  // namespace detail

}  // namespace koila::nn
