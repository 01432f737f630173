#pragma once
// argmax: where the largest is.
#include <koila/ops/family/selection.hpp>

namespace koila {

/// (..., n, ...) -> int64 (..., ...): the position of the first largest along `dim`, or among all elements in order. Not of booleans.
inline constexpr struct argmax : selecting<argmax> {
  static constexpr std::string_view name = "argmax";
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
} argmax;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/reduction.ipp>

#include <ATen/ops/argmax_ops.h>

namespace koila {

KOILA_INLINE void argmax::evaluate(out y, const at::Tensor& x, const attributes& a) {
  at::_ops::argmax_out::call(x, detail::one_dim(a.reduction()), a.keepdim.value, y);
}

}  // namespace koila
#endif
