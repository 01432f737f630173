// SPDX-License-Identifier: MIT
#pragma once
// Definitions of pow_backward.hpp.
#include <koila/ops/common/power_operators.ipp>
#include <koila/ops/internal/pow_backward.hpp>
#include <koila/torch/tensor.hpp>

#include <ATen/ops/eq_ops.h>
#include <ATen/ops/ge_ops.h>
#include <ATen/ops/logical_and_ops.h>

namespace koila::inline v0 {

namespace detail {

/// Computes dx = dy * b * a^(b - 1). `power(y, x, e)` must compute y = x^e.
inline void pull_power_back(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& a, const at::Tensor& b,
                            const auto& power) {
  if (detail::is_wrapped_number(b)) {
    const double e = b.item().toDouble();
    if (e == 0) {
      dx.zero_();
      return;
    }
    power(dx, a.expand_as(dx), at::Scalar(e - 1));
    dx.mul_(b).mul_(dy);
    return;
  }
  dx.copy_(b).sub_(1);
  power(dx, a.expand_as(dx), dx);
  dx.mul_(b).mul_(dy);
  dx.masked_fill_(at::_ops::eq_Scalar::call(b, 0), 0);
}

}  // namespace detail

namespace internal {

void pow_backward_base::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& a, const at::Tensor& b) {
  detail::pull_power_back(
      dx, dy, a, b, [](at::Tensor& y, const at::Tensor& x, const auto& e) { detail::power_by_operator(y, x, e); });
}
void pow_backward_exponent::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& a,
                                     const at::Tensor& b) {
  dx.copy_(a).log_().mul_(y).mul_(dy);
  const at::Tensor zero = at::_ops::eq_Scalar::call(a, 0), positive = at::_ops::ge_Scalar::call(b, 0);
  dx.masked_fill_(at::_ops::logical_and::call(zero, positive), 0);
}

}  // namespace internal

}  // namespace koila::inline v0
