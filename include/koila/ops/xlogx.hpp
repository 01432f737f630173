#pragma once
// xlogx: x log(x).
#include <koila/ops/add.hpp>
#include <koila/ops/family/elementwise.hpp>
#include <koila/ops/log.hpp>
#include <koila/ops/mul.hpp>

namespace koila {

/// (...) -> (...): x log(x), and 0 where x is 0. Of floating-point values.
inline constexpr struct xlogx : unary_activation<xlogx> {
  static constexpr std::string_view name = "xlogx";
  static void evaluate(out y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) { return gradients(mul(dy, add(ops::log(x), 1))); }
} xlogx;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/whole_vectors.ipp>

#include <ATen/ops/xlogy_ops.h>

namespace koila {

KOILA_INLINE void xlogx::evaluate(out y, const at::Tensor& x) {
  detail::in_whole_vectors(y, at::_ops::xlogy_OutTensor::call, x, x);
}

}  // namespace koila
#endif
