#pragma once
// sigmoid: 1 / (1 + exp(-x)).
#include <koila/ops/family/elementwise.hpp>
#include <koila/ops/sigmoid_backward.hpp>

namespace koila {

/// (...) -> (...): 1 / (1 + exp(-x)). Integers become float32.
inline constexpr struct sigmoid : unary_floating<sigmoid> {
  static constexpr std::string_view name = "sigmoid";
  static void evaluate(out y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto&) { return gradients(sigmoid_backward(dy, y)); }
} sigmoid;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/sigmoid_ops.h>

namespace koila {

KOILA_INLINE void sigmoid::evaluate(out y, const at::Tensor& x) { at::_ops::sigmoid_out::call(x, y); }

}  // namespace koila
#endif
