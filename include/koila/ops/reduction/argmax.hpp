// SPDX-License-Identifier: MIT
#pragma once
// argmax: the position of the maximum.
#include <koila/ops/reduction/selection.hpp>

namespace koila::inline v0 {

/// (..., n, ...) -> int64 (..., ...): the position of the first maximum along `dim`, or in the
/// flattened x if `dim` is not given. Booleans are not accepted.
inline constexpr struct argmax : detail::selecting<argmax> {
  static constexpr std::string_view name = "argmax";
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
} argmax;

}  // namespace koila::inline v0

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/common/reduction_operators.ipp>

#include <ATen/ops/argmax_ops.h>

namespace koila::inline v0 {

inline void argmax::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  at::_ops::argmax_out::call(x, detail::one_dim(a.reduction()), a.keepdim.value, y);
}

}  // namespace koila::inline v0
#endif
