// SPDX-License-Identifier: MIT
#pragma once
// min: the smallest of all elements, or the smallest elements along a dim and their indices.
#include <koila/ops/pointwise/minimum.hpp>
#include <koila/ops/reduction/amin.hpp>
#include <koila/ops/reduction/argmin.hpp>
#include <koila/ops/reduction/values_and_indices.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., n, ...) -> (..., ...): the smallest element along `dim`. If several elements are the
/// smallest, the gradient goes to the first of them.
inline constexpr struct min_values : detail::selected_values<min_values, struct argmin> {
  static constexpr std::string_view name = "min";
} min_values;

/// (..., n, ...) -> int64 (..., ...): the index of the first smallest element along `dim`.
inline constexpr struct min_indices : detail::selected_indices<min_indices, struct argmin> {
  static constexpr std::string_view name = "min";
} min_indices;

}  // namespace internal

// `min` is also the name of an attribute, a lower bound: clamp(x, min = 0).
/// (...) -> (): the smallest of all elements. Elements that equal the minimum share its gradient
/// evenly. With a dim, auto [values, indices] = min(x, -1_c) returns the smallest elements along
/// the dim and their indices. The gradient of each value goes to the first element that equals it.
/// With two operands, min(a, b) is minimum(a, b).
inline constexpr struct min
    : detail::values_and_indices<min, struct internal::min_values, struct internal::min_indices>,
      detail::attribute_name<min> {
  using detail::attribute_name<min>::operator=;
  static constexpr std::string_view name = "min";
  static constexpr bool numbers_are_attributes = true;
  static constexpr auto rule(const dims& x) -> verdict { return rules::reduce_some(x, {}, x.type); }
  static constexpr auto rule(const dims& a, const dims& b) -> verdict { return rules::broadcast(a, b); }
  static constexpr auto expand(const auto& x) { return amin(x); }
  static constexpr auto expand(const auto& a, const auto& b) { return minimum(a, b); }
} min;

}  // namespace koila::inline v0
