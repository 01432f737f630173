// SPDX-License-Identifier: MIT
#pragma once
// softplus_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/softplus_backward.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct softplus_backward {
  using attributes = koila::internal::softplus_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
    const auto of_elements = [beta = a.beta.value, most = a.threshold.value](auto dy, auto x) {
      using T = decltype(x);
      const T scaled = x * static_cast<T>(beta), z = std::exp(scaled);
      return scaled > static_cast<T>(most) ? dy : dy * z / (z + 1);
    };
    if (!detail::each_double_by_libm(dx, of_elements, dy, x))
      koila::internal::softplus_backward::evaluate(dx, dy, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::softplus_backward,
                                                                  softplus_backward> softplus_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
