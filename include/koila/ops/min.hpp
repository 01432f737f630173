#pragma once
// min: the smallest of all, or along a dim with its index.
#include <koila/ops/amin.hpp>
#include <koila/ops/argmin.hpp>
#include <koila/ops/family/values_and_indices.hpp>

namespace koila {

/// (..., n, ...) -> (..., ...): the smallest along `dim`; the gradient goes to the first of them.
inline constexpr struct min_values : selected_values<min_values, struct argmin> {
  static constexpr std::string_view name = "min";
} min_values;

/// (..., n, ...) -> int64 (..., ...): where they are.
inline constexpr struct min_indices : selected_indices<min_indices, struct argmin> {
  static constexpr std::string_view name = "min";
} min_indices;

/// (...) -> (): the smallest of all, its gradient shared evenly among ties. With a dim, auto [values, indices] = min(x, -1_c), of
/// which the gradient goes to the first of the smallest.
inline constexpr struct min : values_and_indices<min, struct min_values, struct min_indices> {
  static constexpr std::string_view name = "min";
  static constexpr auto rule(const dims& x) -> verdict { return rules::reduce_some(x, {}, x.type); }
  static constexpr auto expand(const auto& x) { return amin(x); }
} min;

}  // namespace koila
