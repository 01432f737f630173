// SPDX-License-Identifier: MIT
#pragma once
// cumprod_backward_tangent: the directional derivative of cumprod_backward.
#include <koila/ops/reduction/axis_loop.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) x (..., n, ...) x (..., n, ...) -> (..., n, ...): the derivative of
/// cumprod_backward(dy, x) with respect to x in a direction v. The operands are v, dy and x.
inline constexpr struct cumprod_backward_tangent : detail::on_axis<cumprod_backward_tangent, 3> {
  static constexpr std::string_view name = "cumprod_backward_tangent";
} cumprod_backward_tangent;

}  // namespace koila::inline v0::internal
