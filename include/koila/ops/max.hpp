#pragma once
// max: the largest of all, or along a dim with its index.
#include <koila/ops/amax.hpp>
#include <koila/ops/argmax.hpp>
#include <koila/ops/family/values_and_indices.hpp>
#include <koila/ops/maximum.hpp>

namespace koila {

/// (..., n, ...) -> (..., ...): the largest along `dim`; the gradient goes to the first of them.
inline constexpr struct max_values : selected_values<max_values, struct argmax> {
  static constexpr std::string_view name = "max";
} max_values;

/// (..., n, ...) -> int64 (..., ...): where they are.
inline constexpr struct max_indices : selected_indices<max_indices, struct argmax> {
  static constexpr std::string_view name = "max";
} max_indices;

// And the name of a bound: clamp(x, max = 1).
/// (...) -> (): the largest of all, its gradient shared evenly among ties. With a dim, auto
/// [values, indices] = max(x, -1_c), of which the gradient goes to the first of the largest. Of two
/// values maximum(a, b).
inline constexpr struct max : values_and_indices<max, struct max_values, struct max_indices>, attribute_name<max> {
  using attribute_name<max>::operator=;
  static constexpr std::string_view name = "max";
  static constexpr bool numbers_are_attributes = true;
  static constexpr auto rule(const dims& x) -> verdict { return rules::reduce_some(x, {}, x.type); }
  static constexpr auto rule(const dims& a, const dims& b) -> verdict { return rules::broadcast(a, b); }
  static constexpr auto expand(const auto& x) { return amax(x); }
  static constexpr auto expand(const auto& a, const auto& b) { return maximum(a, b); }
} max;

}  // namespace koila
