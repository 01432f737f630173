// SPDX-License-Identifier: MIT
#pragma once
// sigmoid on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/sigmoid.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct sigmoid {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_double_by_libm(y, [](auto x) { return 1 / (1 + std::exp(-x)); }, x))
      koila::sigmoid::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::sigmoid, sigmoid> sigmoid_registered;

}  // namespace koila::inline v0::kernels::cpu
