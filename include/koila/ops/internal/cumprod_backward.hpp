// SPDX-License-Identifier: MIT
#pragma once
// cumprod_backward: the gradient of cumprod.
#include <koila/ops/internal/cumprod_backward_tangent.hpp>
#include <koila/ops/internal/cumprod_tangent.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) x (..., n, ...) -> (..., n, ...): the gradient of cumprod along `dim`, from dy and
/// x.
inline constexpr struct cumprod_backward : detail::on_axis<cumprod_backward, 2> {
  static constexpr std::string_view name = "cumprod_backward";
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a);
  /// This op is the gradient of sum(dy * cumprod(x)) with respect to x. So its Jacobian with
  /// respect to x is a Hessian, which is symmetric, and the vector-Jacobian product equals the
  /// directional derivative.
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const attributes& a) {
    return gradients(cumprod_tangent(d, x, koila::dim = a.dim), cumprod_backward_tangent(d, dy, x, koila::dim = a.dim));
  }
} cumprod_backward;

}  // namespace koila::inline v0::internal
