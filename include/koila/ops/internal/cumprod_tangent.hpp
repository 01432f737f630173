// SPDX-License-Identifier: MIT
#pragma once
// cumprod_tangent: the directional derivative of cumprod.
#include <koila/ops/reduction/axis_loop.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) x (..., n, ...) -> (..., n, ...): the derivative of cumprod(x) in a direction v.
/// The operands are v and x.
inline constexpr struct cumprod_tangent : detail::on_axis<cumprod_tangent, 2> {
  static constexpr std::string_view name = "cumprod_tangent";
} cumprod_tangent;

}  // namespace koila::inline v0::internal
