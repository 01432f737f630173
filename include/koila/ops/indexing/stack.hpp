// SPDX-License-Identifier: MIT
#pragma once
// stack: joins values along a new dim.
#include <koila/ops/indexing/cat.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>

namespace koila::inline v0 {

/// (...) x (...) x ... -> (..., k, ...): stack(a, b, dim = -1) joins k values of the same shape
/// along a new dim. The op takes up to 6 operands, or a std::tuple, std::array or std::vector of
/// any length. Dtypes are promoted.
inline constexpr struct stack : detail::joining<stack> {
  static constexpr std::string_view name = "stack";
  using op<stack, 5>::operator();
  using detail::refusing_braces<stack>::operator();

  static constexpr auto rule_of(const dims* x, int n, const attributes& a) -> verdict {
    const dtype type = common_type(x, n);
    dims all;
    for (int k = 0; k < n; ++k) {
      if (rules::same_shape(all, x[k]) == detail::tristate::no) return reason::shapes_differ;
      all = rules::merged(all, x[k]);
    }
    if (!all.ranked()) return dims(type);
    const verdict one = unsqueeze::rule(all.with(type), a);
    if (!one.accepted() || !a.dim.known) return one;
    dims out = one.out;
    out[detail::wrap(a.dim.value, out.rank)] = extent{n};
    return out;
  }
  static constexpr auto expand(const auto&... t) {
    const auto all = std::tie(t...);
    const attributes& a = std::get<sizeof...(t) - 1>(all);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return cat(unsqueeze(std::get<I>(all), a.dim)..., koila::dim = a.dim);
    }(std::make_index_sequence<sizeof...(t) - 1>{});
  }

  template <class List, class... As>
    requires detail::is_operand_list<List>
  constexpr auto operator()(const List& all, const As&... as) const {
    return std::apply([&](const auto&... x) { return cat(std::make_tuple(unsqueeze(x, as...)...), as...); }, all);
  }
  template <class X, class... As>
    requires(Expression<X> || PlainTensor<X>)
  auto operator()(const std::vector<X>& all, const As&... as) const {
    std::vector<decltype(unsqueeze(all[0], as...))> parts;
    for (const X& x : all) parts.push_back(unsqueeze(x, as...));
    if (parts.empty()) throw shape_error("stack: the list is empty");
    return cat(parts, as...);
  }
} stack;

}  // namespace koila::inline v0
