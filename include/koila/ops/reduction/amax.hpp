// SPDX-License-Identifier: MIT
#pragma once
// amax: the maximum over some or all dims.
#include <koila/ops/reduction/amax_base.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the maximum over the dims `dim`, or over all dims. Equal maxima
/// share the gradient evenly.
inline constexpr struct amax : detail::amax_op<amax, author::monoid::max> {
  static constexpr std::string_view name = "amax";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} amax;

}  // namespace koila::inline v0
