// SPDX-License-Identifier: MIT
#pragma once
// atan2 on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/atan2.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct atan2 {
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
    if (!detail::each_by_libm(y, [](auto a, auto b) { return std::atan2(a, b); }, a, b))
      koila::ops::atan2::evaluate(y, a, b);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::atan2, atan2> atan2_registered;

}  // namespace koila::inline v0::kernels::cpu
