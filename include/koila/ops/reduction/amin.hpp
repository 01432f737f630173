// SPDX-License-Identifier: MIT
#pragma once
// amin: the minimum over some or all dims.
#include <koila/ops/reduction/amax_base.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the minimum over the dims `dim`, or over all dims. Equal minima
/// share the gradient evenly.
inline constexpr struct amin : detail::amax_op<amin, author::monoid::min> {
  static constexpr std::string_view name = "amin";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} amin;

}  // namespace koila::inline v0
