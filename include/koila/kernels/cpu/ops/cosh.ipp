// SPDX-License-Identifier: MIT
#pragma once
// cosh on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/cosh.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct cosh {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_by_libm(y, [](auto x) { return std::cosh(x); }, x)) koila::ops::cosh::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::cosh, cosh> cosh_registered;

}  // namespace koila::inline v0::kernels::cpu
