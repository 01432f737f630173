// SPDX-License-Identifier: MIT
#pragma once
// unbind: all elements along a dim, one by one.
#include <koila/ops/indexing/select.hpp>
#include <koila/ops/indexing/split_base.hpp>

namespace koila::inline v0 {

/// unbind(x, dim) returns select(x, dim, 0), select(x, dim, 1), ... as a std::tuple if x is an
/// expression, whose extent along dim must be known at compile time, and as a std::vector if x is a
/// tensor.
inline constexpr struct unbind : detail::refusing_dims<struct ops::select> {
  using refusing_dims::operator();
  template <Expression X, Attribute... As>
    requires(sizeof...(As) < 2 && detail::has_dim<struct ops::select, X, As...>)
  constexpr auto operator()(const X& x, const As&... attributes) const {
    constexpr index_t n = detail::static_extent<X, decltype(detail::dim_among(attributes...))>();
    static_assert(n >= 0, "unbind: the compiler knows no extent of this dim; use select");
    return detail::tuple_of<n>([&](auto k) { return ops::select(x, detail::dim_among(attributes...), k); });
  }
  template <PlainTensor T, Attribute... As>
    requires(sizeof...(As) < 2)
  auto operator()(const T& x, const As&... attributes) const -> std::vector<T> {
    const index_t d = static_cast<index_t>(detail::dim_among(attributes...));
    std::vector<T> parts;
    const author::dims all = detail::sizes_of(x);
    const int k = detail::wrap(d, all.rank);
    if (k < 0) detail::refuse("unbind", author::reason::dimension_out_of_range, &all, 1);
    for (index_t at = 0; at < all.e[k].n; ++at) parts.push_back(ops::select(x, d, at));
    return parts;
  }
} unbind;

}  // namespace koila::inline v0
