#pragma once
// hinge_backward: dy where x is not negative.
#include <koila/ops/family/elementwise.hpp>
#include <koila/ops/sum_to.hpp>

namespace koila {

/// (...) x (...) -> (...): dy where x >= 0, else 0.
inline constexpr struct hinge_backward : binary<hinge_backward> {
  static constexpr std::string_view name = "hinge_backward";
  static constexpr bool takes_numbers = false;
  static constexpr auto rule(const dims& dy, const dims& x) -> verdict { return rules::slopes(dy, x); }
  static void evaluate(out dx, const at::Tensor& dy, const at::Tensor& x);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x) {
    return gradients(sum_to(hinge_backward{}(d, x), dy), no_gradient);
  }
} hinge_backward;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/threshold_backward_ops.h>

#include <limits>

namespace koila {

KOILA_INLINE void hinge_backward::evaluate(out dx, const at::Tensor& dy, const at::Tensor& x) {
  // The kernel asks x > threshold in x's dtype (in float for those of 16 bits): so the largest
  // number below 0 of that dtype.
  const double below_zero = x.scalar_type() == at::kDouble ? -std::numeric_limits<double>::denorm_min()
                                                           : -double{std::numeric_limits<float>::denorm_min()};
  at::_ops::threshold_backward_grad_input::call(dy, x, below_zero, dx);
}

}  // namespace koila
#endif
