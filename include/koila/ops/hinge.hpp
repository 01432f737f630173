#pragma once
// hinge: max(x, 0), as losses take it.
#include <koila/ops/family/elementwise.hpp>
#include <koila/ops/hinge_backward.hpp>

namespace koila {

/// (...) -> (...): max(x, 0). At 0 its slope is 1, where relu's is 0: what LibTorch's losses do
/// with a margin that is just met.
inline constexpr struct hinge : unary_activation<hinge> {
  static constexpr std::string_view name = "hinge";
  static void evaluate(out y, const at::Tensor& x);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(hinge_backward(dy, x));
  }
} hinge;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/clamp_min_ops.h>

namespace koila {

KOILA_INLINE void hinge::evaluate(out y, const at::Tensor& x) { at::_ops::clamp_min_out::call(x, 0, y); }

}  // namespace koila
#endif
