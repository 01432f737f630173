// SPDX-License-Identifier: MIT
#pragma once
// sort: the elements along a dim in order, and their indices in x.
#include <koila/ops/reduction/argsort.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., n, ...) -> (..., n, ...): the sorted elements along `dim`.
inline constexpr struct sort_values : op<sort_values, 1> {
  static constexpr std::string_view name = "sort";
  using attributes = detail::sort_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::ordered(x, a, x.type); }
  static constexpr auto expand(const auto& x, const attributes& a) {
    if (dims_of(x).rank == 0) return x;
    return gather(x, argsort(x, koila::dim = a.dim, koila::descending = a.descending), koila::dim = a.dim);
  }
} sort_values;

}  // namespace internal

/// auto [values, indices] = sort(x, dim = -1_c, descending = true): sorts along the last dim by
/// default. Equal elements keep their order.
inline constexpr detail::values_beside_indices<struct internal::sort_values, struct argsort> sort{};

}  // namespace koila::inline v0
