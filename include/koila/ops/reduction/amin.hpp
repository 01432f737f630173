// SPDX-License-Identifier: MIT
#pragma once
// amin: the minimum over some or all dims.
#include <koila/ops/reduction/amax_base.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the minimum over the dims `dim`, or over all dims. Equal minima
/// share the gradient evenly.
inline constexpr struct amin : detail::amax_op<amin, monoid::min> {
  static constexpr std::string_view name = "amin";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} amin;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/reduction_operators.ipp>

#include <ATen/ops/amin_ops.h>

namespace koila::inline v0 {

inline void amin::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::amin_out::call(x, detail::reduced_dims(a, x).list(), a.keepdim.value, y);
}

}  // namespace koila::inline v0
#endif
