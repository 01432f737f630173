// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops that copy elements to other positions along each dim: pad, flip, roll.
#include <koila/ops/indexing/slices.hpp>

namespace koila::inline v0 {

/// The value of elements that are not copied from an operand, as in pad(x, list_of(1_c, 1_c),
/// fill_value = 0.5) or full_like(x, fill_value = 2).
inline constexpr struct fill_value : detail::attribute_name<fill_value> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.fill_value)) { return a.fill_value; }
} fill_value;

/// The number of positions by which roll shifts each dim.
inline constexpr struct shifts : detail::attribute_name<shifts> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.shifts)) { return a.shifts; }
} shifts;

namespace flows {

/// If the op moves elements along the batch axis (`samples` is true), x is gathered. Otherwise the
/// result has the batch relation of x.
constexpr auto moved(const value& x, bool samples, const dims& out) -> relations {
  if (samples) return gather(&x, 1, out);
  relations f;
  f.out = x.batch_relation;
  return f;
}

}  // namespace flows
}  // namespace koila::inline v0
