// SPDX-License-Identifier: MIT
#pragma once
// exp2 on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/exp2.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct exp2 {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_by_libm(y, [](auto x) { return std::exp2(x); }, x)) koila::ops::exp2::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::exp2, exp2> exp2_registered;

}  // namespace koila::inline v0::kernels::cpu
