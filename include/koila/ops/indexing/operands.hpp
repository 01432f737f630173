// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops that take any number of operands: cat, stack.
#include <koila/expr/erased.hpp>
#include <koila/ops/indexing/slices.hpp>

#include <array>
#include <tuple>
#include <vector>

namespace koila::inline v0::detail {

template <class T>
inline constexpr bool is_operand_list = false;
template <class... Ts>
inline constexpr bool is_operand_list<std::tuple<Ts...>> = ((Expression<Ts> || PlainTensor<Ts>) && ...);
template <class T, std::size_t N>
inline constexpr bool is_operand_list<std::array<T, N>> = Expression<T> || PlainTensor<T>;

template <class... Ts>
inline constexpr bool list_first = false;
template <class T, class... As>
inline constexpr bool list_first<T, As...> = is_operand_list<T>;
template <class T, class... As>
inline constexpr bool list_first<std::vector<T>, As...> = Expression<T> || PlainTensor<T>;

/// Elements [From, From + N) of a tuple or an array.
template <std::size_t From, std::size_t N>
constexpr auto stretch(const auto& all) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::make_tuple(std::get<From + I>(all)...);
  }(std::make_index_sequence<N>{});
}

/// Joins the operands of a list in groups of 6, because an op has at most 6 operands, and then
/// joins the groups.
template <class Op, class... As>
constexpr auto join_list(const auto& all, const As&... as) {
  constexpr std::size_t n = std::tuple_size_v<std::remove_cvref_t<decltype(all)>>, most = 6;
  static_assert(n > 0, "the list is empty");
  if constexpr (n <= most) {
    return std::apply([&](const auto&... x) { return Op{}(x..., as...); }, all);
  } else {
    return join_list<Op>(
        [&]<std::size_t... G>(std::index_sequence<G...>) {
          return std::make_tuple(join_list<Op>(stretch<G * most, std::min(most, n - G * most)>(all), as...)...);
        }(std::make_index_sequence<(n + most - 1) / most>{}),
        as...);
  }
}

/// join_list for a vector, whose length is known only at run time. Throws shape_error if the vector
/// is empty.
template <class Op, class T, class... As>
constexpr auto join_vector(std::vector<T> all, const As&... as) -> T {
  if (all.empty()) throw shape_error(std::string(Op::name) + ": the list is empty");
  const auto some = [&](const T* x, std::size_t n) -> T {
    switch (n) {
      case 1: return x[0];
      case 2: return Op{}(x[0], x[1], as...);
      case 3: return Op{}(x[0], x[1], x[2], as...);
      case 4: return Op{}(x[0], x[1], x[2], x[3], as...);
      case 5: return Op{}(x[0], x[1], x[2], x[3], x[4], as...);
      default: return Op{}(x[0], x[1], x[2], x[3], x[4], x[5], as...);
    }
  };
  while (all.size() > 1) {
    std::vector<T> groups;
    for (std::size_t i = 0; i < all.size(); i += 6)
      groups.push_back(some(&all[i], std::min<std::size_t>(6, all.size() - i)));
    all = std::move(groups);
  }
  return all[0];
}

template <class A, class... Ts>
inline constexpr bool dims_and = ((std::same_as<Ts, dims> ? 1 : 0) + ... + 0) + 1 == sizeof...(Ts) &&
                                 (std::same_as<Ts, A> || ...) && sizeof...(Ts) > 1;

/// An op on up to 6 operands, or on a list of any length. `Op` must define `rule_of(dims*, n,
/// attributes)`. The expression of a vector is type-erased, because the vector's length is known
/// only at run time.
template <class Op>
struct joining : op<Op, 5>, refusing_braces<Op> {
  static constexpr bool numbers_are_attributes = true;
  using op<Op, 5>::operator();
  using refusing_braces<Op>::operator();
  using attributes = dim_attribute;
  template <class... Ts>
  static constexpr bool takes_form = detail::list_first<Ts...>;
  using any_value = erased<dtype::unknown, unranked>;

  template <class... Ts>
    requires detail::dims_and<attributes, Ts...>
  static constexpr auto rule(const Ts&... ts) -> verdict {
    dims x[sizeof...(Ts)];
    attributes a;
    int n = 0;
    const auto assign = [&](const auto& t) {
      if constexpr (std::same_as<std::remove_cvref_t<decltype(t)>, dims>) x[n++] = t;
      else a = t;
    };
    (assign(ts), ...);
    return Op::rule_of(x, n, a);
  }
  template <class List, class... As>
    requires detail::is_operand_list<List>
  constexpr auto operator()(const List& all, const As&... as) const {
    return detail::join_list<Op>(all, as...);
  }
  template <PlainTensor T, class... As>
  auto operator()(const std::vector<T>& all, const As&... as) const -> T {
    return detail::join_vector<Op>(all, as...);
  }
  template <Expression X, class... As>
  auto operator()(const std::vector<X>& all, const As&... as) const -> any_value {
    return detail::join_vector<Op>(std::vector<any_value>(all.begin(), all.end()), as...);
  }

 protected:
  static constexpr auto common_type(const dims* x, int n) -> dtype {
    dtype type = x[0].type;
    for (int k = 1; k < n; ++k) type = promote(type, x[k].type);
    return type;
  }
};

}  // namespace koila::inline v0::detail
