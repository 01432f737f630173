// SPDX-License-Identifier: MIT
#pragma once
// gelu on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/activation/gelu.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct gelu {
  using attributes = koila::gelu::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const auto of_elements = [by_tanh = a.by_tanh()](auto x) {
      using T = decltype(x);
      if (!by_tanh) return x * T(0.5) * (1 + std::erf(x * T(0.70710678118654752440)));
      return T(0.5) * x * (1 + std::tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x)));
    };
    if (!detail::each_double_by_libm(y, of_elements, x)) koila::gelu::evaluate(y, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::gelu, gelu> gelu_registered;

}  // namespace koila::inline v0::kernels::cpu
