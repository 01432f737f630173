// SPDX-License-Identifier: MIT
#pragma once
// amax: the maximum over some or all dims.
#include <koila/ops/reduction/amax_base.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> (..., ...): the maximum over the dims `dim`, or over all dims. Equal maxima
/// share the gradient evenly.
inline constexpr struct amax : detail::amax_op<amax, monoid::max> {
  static constexpr std::string_view name = "amax";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} amax;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/reduction_operators.ipp>

#include <ATen/ops/amax_ops.h>

namespace koila::inline v0 {

inline void amax::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::amax_out::call(x, detail::reduced_dims(a, x).list(), a.keepdim.value, y);
}

}  // namespace koila::inline v0
#endif
