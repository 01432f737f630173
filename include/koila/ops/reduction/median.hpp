// SPDX-License-Identifier: MIT
#pragma once
// median: the median of all elements, or the medians along a dim and their indices.
#include <koila/ops/internal/median_index.hpp>
#include <koila/ops/internal/median_of_all.hpp>
#include <koila/ops/reduction/values_and_indices.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., n, ...) -> (..., ...): the median along `dim`. For an even number of elements, the median
/// is the lower of the two middle elements. The gradient goes to the selected element.
inline constexpr struct median_values : detail::selected_values<median_values, struct median_index> {
  static constexpr std::string_view name = "median";
} median_values;

/// (..., n, ...) -> int64 (..., ...): the index of the median along `dim`.
inline constexpr struct median_indices : detail::selected_indices<median_indices, struct median_index> {
  static constexpr std::string_view name = "median";
} median_indices;

}  // namespace internal

/// (...) -> (): the median of all elements. For an even number of elements, the median is the lower
/// of the two middle elements. Elements that equal the median share its gradient evenly. With a
/// dim, auto [values, indices] = median(x, -1_c) returns the medians along the dim and their
/// indices. Booleans are not allowed.
inline constexpr struct median
    : detail::values_and_indices<median, struct internal::median_values, struct internal::median_indices> {
  static constexpr std::string_view name = "median";
  static constexpr auto rule(const dims& x) -> verdict { return rules::selected(x, {}, x.type); }
  static constexpr auto expand(const auto& x) { return internal::median_of_all(x); }
} median;

}  // namespace koila::inline v0
