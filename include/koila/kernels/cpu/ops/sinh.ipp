// SPDX-License-Identifier: MIT
#pragma once
// sinh on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/sinh.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct sinh {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_by_libm(y, [](auto x) { return std::sinh(x); }, x)) koila::ops::sinh::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::sinh, sinh> sinh_registered;

}  // namespace koila::inline v0::kernels::cpu
