// SPDX-License-Identifier: MIT
#pragma once
// acosh on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/acosh.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct acosh {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_by_libm(y, [](auto x) { return std::acosh(x); }, x)) koila::ops::acosh::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::acosh, acosh> acosh_registered;

}  // namespace koila::inline v0::kernels::cpu
