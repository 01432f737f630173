// SPDX-License-Identifier: MIT
#pragma once
// Shapes as types: shape<batch, 784>, shape<int64, batch>, shape<unranked>. Rules read the member
// `value`.
#include <koila/shape/dims.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace koila::inline v0 {

/// A shape as a type: an element type (float32 if omitted), then numbers, axes and `any`.
template <auto... D>
struct shape;

namespace detail {

template <class T>
concept Dtype = std::same_as<std::remove_cv_t<T>, dtype>;

constexpr auto as_extent(std::integral auto n) -> extent { return {static_cast<index_t>(n)}; }
constexpr auto as_extent(struct any) -> extent { return {}; }
template <class Tag>
constexpr auto as_extent(axis<Tag>) -> extent {
  return {-1, axis_name<Tag>};
}

constexpr auto possible(std::integral auto n) -> bool { return static_cast<index_t>(n) >= 0; }
constexpr auto possible(auto) -> bool { return true; }

template <auto... D>
struct dims_of_args {
  static constexpr dims value = [] {
    static_assert(sizeof...(D) <= dims::capacity, "more than 8 dimensions");
    static_assert((possible(D) && ...), "a dim is not negative: for one that is not known write any, or an axis");
    if constexpr (sizeof...(D) <= dims::capacity) return dims({as_extent(D)...}, dtype::float32);
    else return dims{};
  }();
};
template <auto T, auto... D>
  requires Dtype<decltype(T)>
struct dims_of_args<T, D...> {
  static constexpr dims value = dims_of_args<D...>::value.with(T);
};
template <>
struct dims_of_args<unranked> {
  static constexpr dims value{};
};
template <auto T>
  requires Dtype<decltype(T)>
struct dims_of_args<T, unranked> {
  static constexpr dims value{T};
};

}  // namespace detail

template <auto... D>
struct shape {
  static constexpr author::dims value = detail::dims_of_args<D...>::value;
};

namespace detail {

/// Canonical form of the arguments of `shape`, so that equal shapes are the same type. Extents
/// have type index_t, and float32 is omitted.
constexpr auto canonical(std::integral auto n) { return static_cast<index_t>(n); }
constexpr auto canonical(auto d) { return d; }

template <auto... D>
struct canonical_shape {
  using type = shape<canonical(D)...>;
};
template <auto T, auto... D>
  requires(Dtype<decltype(T)> && T == dtype::float32)
struct canonical_shape<T, D...> : canonical_shape<D...> {};
template <auto T, auto... D>
  requires(Dtype<decltype(T)> && T != dtype::float32)
struct canonical_shape<T, D...> {
  using type = shape<T, canonical(D)...>;
};
template <auto T>
  requires Dtype<decltype(T)>
struct canonical_shape<T, unranked> {
  using type = std::conditional_t<T == dtype::unknown, shape<unranked>, shape<T, unranked>>;
};

/// The template arguments of all operands' shapes in one list. A rule's result contains the names
/// of axes, but a shape type needs the axis objects. The axis objects are looked up by name in
/// this list.
template <class... Shapes>
struct concatenated;
template <auto... A>
struct concatenated<shape<A...>> {
  template <class Value, int I>
  static consteval auto dim() {
    constexpr extent x = Value::value.out.e[I];
    if constexpr (x.named()) return by_name<Value, I, A...>();
    else if constexpr (x.known()) return x.n;
    else return any;
  }
  template <class Value, int I, auto First, auto... Rest>
  static consteval auto by_name() {
    using Type = std::remove_cv_t<decltype(First)>;
    if constexpr (Axis<Type>) {
      if constexpr (axis_name<typename Type::axis_type> == Value::value.out.e[I].axis) return First;
      else return by_name<Value, I, Rest...>();
    } else {
      return by_name<Value, I, Rest...>();
    }
  }
};
template <>
struct concatenated<> : concatenated<shape<>> {};
template <auto... A, auto... B, class... Rest>
struct concatenated<shape<A...>, shape<B...>, Rest...> : concatenated<shape<A..., B...>, Rest...> {};

/// The shape type of a verdict's dims. The axes of the dims must occur in `Joined`.
template <class Value, class Joined>
struct shape_of_verdict {
  static constexpr dims out = Value::value.out;
  template <std::size_t... I>
  static auto make(std::index_sequence<I...>) ->
      typename canonical_shape<out.type, Joined::template dim<Value, static_cast<int>(I)>()...>::type {
    return {};
  }
  static auto pick() {
    if constexpr (out.ranked()) return make(std::make_index_sequence<static_cast<std::size_t>(out.rank)>{});
    else return typename canonical_shape<out.type, unranked>::type{};
  }
  using type = decltype(pick());
};

/// Base of everything that has a shape. Overloads that refuse a call deduce only this base, so
/// that an expression's type never appears in an error message.
template <class Shape>
struct shaped {
  using shape_type = Shape;
};

}  // namespace detail

}  // namespace koila::inline v0
