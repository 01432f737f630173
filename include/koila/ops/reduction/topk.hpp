// SPDX-License-Identifier: MIT
#pragma once
// topk: the k largest elements along a dim, and their indices.
#include <koila/ops/internal/topk_indices.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., n, ...) -> (..., k, ...): the k largest, or smallest, elements along `dim`.
inline constexpr struct topk_values : op<topk_values, 1> {
  static constexpr std::string_view name = "topk";
  using attributes = detail::topk_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::best(x, a, x.type); }
  static constexpr auto expand(const auto& x, const attributes& a) {
    if (dims_of(x).rank == 0) return x;
    const auto at = topk_indices(x, a.k, koila::dim = a.dim, koila::largest = a.largest, koila::sorted = a.sorted);
    return gather(x, at, koila::dim = a.dim);
  }
} topk_values;

}  // namespace internal

/// auto [values, indices] = topk(x, 3_c, dim = 1_c, largest = false): searches along the last dim
/// by default.
inline constexpr detail::values_beside_indices<struct internal::topk_values, struct internal::topk_indices> topk{};

}  // namespace koila::inline v0
