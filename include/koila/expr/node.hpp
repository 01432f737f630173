// SPDX-License-Identifier: MIT
#pragma once
// A node of an expression: an op with its attributes and its operands. Operands are stored by
// value, and leaves among them are handles, so nothing dangles.
#include <koila/base/handle.hpp>
#include <koila/expr/file_options.hpp>
#include <koila/expr/verdict_of.hpp>

#include <boost/hana/tuple.hpp>

#include <bit>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <stdexcept>
#include <string>

namespace koila::inline v0 {

namespace detail {

/// Evaluates an expression immediately; defined in run/.
template <class T, Expression E>
auto evaluate_now(const E& e) -> T;

/// Base of every expression. Its functions evaluate the expression immediately. They are meant for
/// debugging, and for expressions whose leaves store their tensors.
template <class E>
struct evaluates {
  using is_expression = void;
  /// This conversion is explicit, so that `at::relu(y)` cannot evaluate the expression unnoticed.
  template <PlainTensor T>
  explicit operator T() const {
    return evaluate_now<T>(static_cast<const E&>(*this));
  }
  /// Evaluates an expression of one element and returns it as a C++ number.
  template <Number N>
  auto item() const -> N {
    return evaluate_now<N>(static_cast<const E&>(*this));
  }
};

template <class T>
constexpr auto size_of_expression() -> std::size_t {
  if constexpr (requires { T::size; }) return T::size;
  else return 1;
}

/// Maximum number of nodes in the type of an expression. More nodes usually mean that a
/// subexpression is repeated or a loop is unrolled.
inline constexpr std::size_t most_nodes = 1000;

}  // namespace detail

namespace author {
inline namespace KOILA_FILE_OPTIONS {

/// An op applied to operands. `Shape` is the shape of the result, as the rule states it.
template <class Op, class Shape, Expression... Xs>
struct node : detail::shaped<Shape>, detail::evaluates<node<Op, Shape, Xs...>> {
  static constexpr std::size_t size = (detail::size_of_expression<Xs>() + ... + 1);
  static_assert(
      size <= detail::most_nodes,
      "the expression has more than 1000 nodes: name what is used twice with let(...), and hold the value of a loop in an erased<...>");
  using op_type = Op;

  hana::tuple<Xs...> operands;
  [[no_unique_address]] detail::attributes_t<Op> attributes;

  constexpr node(const detail::attributes_t<Op>& a, Xs... xs) : operands(std::move(xs)...), attributes(a) {}
};

}  // namespace KOILA_FILE_OPTIONS
}  // namespace author

namespace detail {

/// Returns true if a float64 holds the number exactly. A float64 does not hold every integer
/// beyond 2^53.
template <Number N>
constexpr auto fits_float64(N n) -> bool {
  if constexpr (std::integral<N> && std::numeric_limits<N>::digits > std::numeric_limits<double>::digits) {
    const auto bits = static_cast<std::uint64_t>(n), size = std::signed_integral<N> && n < N{0} ? 0 - bits : bits;
    return size == 0 || (size >> std::countr_zero(size)) >> std::numeric_limits<double>::digits == 0;
  }
  return true;
}

[[noreturn]] inline void refuse_constant(const std::string& n) {
  throw argument_error("koila: the integer " + n + " is no constant of an expression: beyond 2^53 only those that a " +
                       "float64 holds are; bind it as a tensor");
}

/// Converts a number to the float64 that an expression stores. Throws argument_error if an
/// integer would change.
template <Number N>
constexpr auto constant_of(N n) -> double {
  if constexpr (std::integral<N>)
    if (!fits_float64(n)) refuse_constant(std::to_string(n));
  return static_cast<double>(n);
}

/// A C++ number in an expression.
struct number_leaf : shaped<shape<>>, evaluates<number_leaf> {
  double value;
  dims own_dims;
  template <Number N>
  constexpr explicit number_leaf(N n) : value(detail::constant_of(n)), own_dims(detail::number_shape<N>::value) {}
};

}  // namespace detail

}  // namespace koila::inline v0
