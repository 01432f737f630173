// SPDX-License-Identifier: MIT
#pragma once
// prod_others_tangent: the directional derivative of prod_others.
#include <koila/ops/reduction/axis_loop.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) x (..., n, ...) -> (..., n, ...): the derivative of prod_others at the second
/// operand, in the direction of the first operand.
inline constexpr struct prod_others_tangent : detail::on_axis<prod_others_tangent, 2> {
  static constexpr std::string_view name = "prod_others_tangent";
} prod_others_tangent;

}  // namespace koila::inline v0::internal
