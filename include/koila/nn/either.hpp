#pragma once
// For layers whose operand is either an expression or a tensor.
#include <koila/expr/erased.hpp>
#include <koila/expr/let.hpp>
#include <koila/run/run.hpp>

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

/// What is made of parameters alone, beside x: computed at once where x is a tensor.
template <class X, class E>
auto beside(const X&, const E& e) {
  if constexpr (Tensor<X>) return X(e);
  else return e;
}

}  // namespace detail

}  // namespace koila::nn
