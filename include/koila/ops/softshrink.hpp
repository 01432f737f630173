#pragma once
// softshrink: x moved towards 0.
#include <koila/ops/shrink_backward.hpp>

namespace koila {

/// (...) -> (...): x moved by lambd towards 0, and 0 where |x| <= lambd; lambd is 0.5 where not given. Of floating-point values.
inline constexpr struct softshrink : activation<softshrink> {
  static constexpr std::string_view name = "softshrink";
  using attributes = shrink_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.lambd.known && !(a.lambd.value >= 0)) return why::size_out_of_range;
    if (!rules::holds(x.type, a.lambd) || (a.lambd.known && a.lambd.value - a.lambd.value != 0))
      return why::number_out_of_range;
    return rules::of_floats(x);
  }
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const attributes& a) {
    return gradients(detail::call_with<struct shrink_backward>(a, dy, x));
  }
} softshrink;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/softshrink_ops.h>

namespace koila {

KOILA_INLINE void softshrink::evaluate(out y, const at::Tensor& x, const attributes& a) {
  at::_ops::softshrink_out::call(x, a.lambd.value, y);
}

}  // namespace koila
#endif
