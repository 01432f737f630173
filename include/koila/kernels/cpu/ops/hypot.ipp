// SPDX-License-Identifier: MIT
#pragma once
// hypot on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/hypot.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct hypot {
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
    if (!detail::each_by_libm(y, [](auto a, auto b) { return std::hypot(a, b); }, a, b))
      koila::ops::hypot::evaluate(y, a, b);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::hypot, hypot> hypot_registered;

}  // namespace koila::inline v0::kernels::cpu
