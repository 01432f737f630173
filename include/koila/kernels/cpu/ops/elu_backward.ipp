// SPDX-License-Identifier: MIT
#pragma once
// elu_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/elu_backward.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct elu_backward {
  using attributes = koila::internal::elu_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
    const double bent = a.alpha.value * a.scale.value * a.input_scale.value, scale = a.scale.value,
                 inner = a.input_scale.value;
    const auto of_elements = [=](auto dy, auto x) {
      using T = decltype(x);
      return dy * (x <= 0 ? static_cast<T>(bent) * std::exp(x * static_cast<T>(inner)) : static_cast<T>(scale));
    };
    if (!detail::each_double_by_libm(dx, of_elements, dy, x)) koila::internal::elu_backward::evaluate(dx, dy, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::elu_backward, elu_backward>
    elu_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
