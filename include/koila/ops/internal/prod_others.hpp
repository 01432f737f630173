// SPDX-License-Identifier: MIT
#pragma once
// prod_others: for each element, the product of all other elements.
#include <koila/ops/internal/prod_others_tangent.hpp>

namespace koila::inline v0::internal {

/// (..., n, ...) -> (..., n, ...): for each element, the product of all other elements along `dim`,
/// or in the whole value if no dim is given. This is the derivative of the product of all elements.
/// The op does not divide, so elements that are 0 need no special case.
inline constexpr struct prod_others : detail::on_axis<prod_others, 1> {
  static constexpr std::string_view name = "prod_others";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(prod_others_tangent(dy, x, koila::dim = a.dim));  // the Jacobian is symmetric
  }
} prod_others;

}  // namespace koila::inline v0::internal
