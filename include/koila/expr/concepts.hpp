// SPDX-License-Identifier: MIT
#pragma once
// Concepts for operands: expressions, LibTorch tensors and C++ numbers. at::Tensor is only declared
// here.
#include <koila/shape/shape.hpp>

#include <concepts>
#include <type_traits>

namespace at {
class Tensor;
}

namespace koila::inline v0 {

/// A lazy value. It has a shape type, and its elements are not computed yet.
template <class T>
concept Expression = requires {
  typename T::shape_type;
  typename T::is_expression;
};

/// A LibTorch tensor. Its dims and dtype are known only at run time.
template <class T>
concept PlainTensor = std::same_as<T, at::Tensor>;

/// A C++ arithmetic value.
template <class T>
concept Number = std::is_arithmetic_v<T>;

/// An operand of an op: an expression, a tensor or a number.
template <class T>
concept Operand = Expression<T> || PlainTensor<T> || Number<T>;

namespace detail {

/// The shape type of a C++ number, used in place of shape<...>.
template <class T>
struct number_shape {
  static constexpr dims value = [] {
    dims d = scalar(std::same_as<T, bool> ? dtype::boolean : std::integral<T> ? dtype::int64 : dtype::float64);
    d.number = true;
    return d;
  }();
};
template <class T, class... Rest>
struct concatenated<number_shape<T>, Rest...> : concatenated<Rest...> {};
template <auto... A, class T, class... Rest>
struct concatenated<shape<A...>, number_shape<T>, Rest...> : concatenated<shape<A...>, Rest...> {};

template <class T>
struct shape_type_of {
  using type = shape<unranked>;  // a plain tensor
};
template <Expression T>
struct shape_type_of<T> {
  using type = typename T::shape_type;
};
template <Number T>
struct shape_type_of<T> {
  using type = number_shape<T>;
};

/// The shape type of an operand.
template <class T>
using shape_t = typename detail::shape_type_of<T>::type;

}  // namespace detail

/// Dims of an expression, as far as the compiler knows them.
template <Expression T>
constexpr auto shape_of(const T&) -> author::dims {
  return detail::shape_t<T>::value;
}
/// Element type of an expression, as far as the compiler knows it.
template <Expression T>
constexpr auto dtype_of(const T&) -> dtype {
  return detail::shape_t<T>::value.type;
}
/// Index of the batch dim, or -1.
template <Expression T>
constexpr auto batch_of(const T&) -> int {
  return detail::shape_t<T>::value.find(axis_name<struct batch>);
}

}  // namespace koila::inline v0
