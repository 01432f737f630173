#pragma once
// hardsigmoid: a sigmoid of straight pieces.
#include <koila/ops/hardtanh_backward.hpp>
#include <koila/ops/mul.hpp>

namespace koila {

/// (...) -> (...): x / 6 + 1 / 2 held between 0 and 1. Of floating-point values.
inline constexpr struct hardsigmoid : activation<hardsigmoid> {
  static constexpr std::string_view name = "hardsigmoid";
  static void evaluate(out y, const at::Tensor& x);
  // Not LibTorch's pull-back, whose 1 / 6 is of float32 in float64 too, and which has no second derivative.
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(hardtanh_backward(mul(dy, 1.0 / 6), x, -3, 3));
  }
} hardsigmoid;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/hardsigmoid_ops.h>

namespace koila {

KOILA_INLINE void hardsigmoid::evaluate(out y, const at::Tensor& x) { at::_ops::hardsigmoid_out::call(x, y); }

}  // namespace koila
#endif
