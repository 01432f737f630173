// SPDX-License-Identifier: MIT
#pragma once
// max: the largest of all elements, or the largest elements along a dim and their indices.
#include <koila/ops/pointwise/maximum.hpp>
#include <koila/ops/reduction/amax.hpp>
#include <koila/ops/reduction/argmax.hpp>
#include <koila/ops/reduction/values_and_indices.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., n, ...) -> (..., ...): the largest element along `dim`. If several elements are the
/// largest, the gradient goes to the first of them.
inline constexpr struct max_values : detail::selected_values<max_values, struct argmax> {
  static constexpr std::string_view name = "max";
} max_values;

/// (..., n, ...) -> int64 (..., ...): the index of the first largest element along `dim`.
inline constexpr struct max_indices : detail::selected_indices<max_indices, struct argmax> {
  static constexpr std::string_view name = "max";
} max_indices;

}  // namespace internal

// `max` is also the name of an attribute, an upper bound: clamp(x, max = 1).
/// (...) -> (): the largest of all elements. Elements that equal the maximum share its gradient
/// evenly. With a dim, auto [values, indices] = max(x, -1_c) returns the largest elements along the
/// dim and their indices. The gradient of each value goes to the first element that equals it. With
/// two operands, max(a, b) is maximum(a, b).
inline constexpr struct max
    : detail::values_and_indices<max, struct internal::max_values, struct internal::max_indices>,
      detail::attribute_name<max> {
  using detail::attribute_name<max>::operator=;
  static constexpr std::string_view name = "max";
  static constexpr bool numbers_are_attributes = true;
  static constexpr auto rule(const dims& x) -> verdict { return rules::reduce_some(x, {}, x.type); }
  static constexpr auto rule(const dims& a, const dims& b) -> verdict { return rules::broadcast(a, b); }
  static constexpr auto expand(const auto& x) { return amax(x); }
  static constexpr auto expand(const auto& a, const auto& b) { return maximum(a, b); }
} max;

}  // namespace koila::inline v0
