// SPDX-License-Identifier: MIT
#pragma once
// silu on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/activation/silu.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct silu {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_double_by_libm(y, [](auto x) { return x / (1 + std::exp(-x)); }, x)) koila::silu::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::silu, silu> silu_registered;

}  // namespace koila::inline v0::kernels::cpu
