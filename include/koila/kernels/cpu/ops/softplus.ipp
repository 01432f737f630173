// SPDX-License-Identifier: MIT
#pragma once
// softplus on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/activation/softplus.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct softplus {
  using attributes = koila::softplus::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const auto of_elements = [beta = a.beta.value, most = a.threshold.value](auto x) {
      using T = decltype(x);
      const T scaled = x * static_cast<T>(beta);
      return scaled > static_cast<T>(most) ? x : std::log1p(std::exp(scaled)) / static_cast<T>(beta);
    };
    if (!detail::each_double_by_libm(y, of_elements, x)) koila::softplus::evaluate(y, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::softplus, softplus> softplus_registered;

}  // namespace koila::inline v0::kernels::cpu
