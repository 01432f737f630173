// SPDX-License-Identifier: MIT
#pragma once
// atanh on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/atanh.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct atanh {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_by_libm(y, [](auto x) { return std::atanh(x); }, x)) koila::ops::atanh::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::atanh, atanh> atanh_registered;

}  // namespace koila::inline v0::kernels::cpu
