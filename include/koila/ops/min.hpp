#pragma once
// min: the smallest of all, or along a dim with its index.
#include <koila/ops/amin.hpp>
#include <koila/ops/argmin.hpp>
#include <koila/ops/family/values_and_indices.hpp>
#include <koila/ops/minimum.hpp>

namespace koila {

/// (..., n, ...) -> (..., ...): the smallest along `dim`; the gradient goes to the first of them.
inline constexpr struct min_values : selected_values<min_values, struct argmin> {
  static constexpr std::string_view name = "min";
} min_values;

/// (..., n, ...) -> int64 (..., ...): where they are.
inline constexpr struct min_indices : selected_indices<min_indices, struct argmin> {
  static constexpr std::string_view name = "min";
} min_indices;

// And the name of a bound: clamp(x, min = 0).
/// (...) -> (): the smallest of all, its gradient shared evenly among ties. With a dim, auto
/// [values, indices] = min(x, -1_c), of which the gradient goes to the first of the smallest. Of
/// two values minimum(a, b).
inline constexpr struct min : values_and_indices<min, struct min_values, struct min_indices>, attribute_name<min> {
  using attribute_name<min>::operator=;
  static constexpr std::string_view name = "min";
  static constexpr bool numbers_are_attributes = true;
  static constexpr auto rule(const dims& x) -> verdict { return rules::reduce_some(x, {}, x.type); }
  static constexpr auto rule(const dims& a, const dims& b) -> verdict { return rules::broadcast(a, b); }
  static constexpr auto expand(const auto& x) { return amin(x); }
  static constexpr auto expand(const auto& a, const auto& b) { return minimum(a, b); }
} min;

}  // namespace koila
