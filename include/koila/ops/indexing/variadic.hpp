// SPDX-License-Identifier: MIT
#pragma once
// Helpers for ops that take any number of operands. The rule of such an op is written once, for
// an array of operands.
#include <koila/expr/op.hpp>

namespace koila::inline v0::detail {

/// True if Ts is the type T, repeated Least to Most times, followed by the types of Rest.
template <class T, std::size_t Least, std::size_t Most, class Rest, class... Ts>
inline constexpr bool leads = false;
template <class T, std::size_t Least, std::size_t Most, class... Rest, class... Ts>
  requires(sizeof...(Ts) >= Least + sizeof...(Rest) && sizeof...(Ts) <= Most + sizeof...(Rest))
inline constexpr bool leads<T, Least, Most, type_list<Rest...>, Ts...> =
    []<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
      using all = std::tuple<Ts...>;
      return (std::is_same_v<T, std::tuple_element_t<I, all>> && ...) &&
             (std::is_same_v<Rest, std::tuple_element_t<sizeof...(I) + J, all>> && ...);
    }(std::make_index_sequence<sizeof...(Ts) - sizeof...(Rest)>{}, std::index_sequence_for<Rest...>{});

/// Calls f(the first N arguments as an array, the remaining arguments...), so that a function of
/// any number of operands is written once.
template <std::size_t N, class F, class... Ts>
constexpr auto with_array(const F& f, const Ts&... ts) {
  const auto all = std::tie(ts...);
  return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
    if constexpr (!(PlainTensor<Ts> || ...)) {
      const std::tuple_element_t<0, std::tuple<Ts...>> in[] = {std::get<I>(all)...};
      return f(in, std::get<N + J>(all)...);
    } else {
      const at::Tensor* const in[] = {std::addressof(std::get<I>(all))...};
      return f(in, std::get<N + J>(all)...);
    }
  }(std::make_index_sequence<N>{}, std::make_index_sequence<sizeof...(Ts) - N>{});
}

}  // namespace koila::inline v0::detail
