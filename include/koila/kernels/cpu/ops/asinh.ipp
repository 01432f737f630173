// SPDX-License-Identifier: MIT
#pragma once
// asinh on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/asinh.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct asinh {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_by_libm(y, [](auto x) { return std::asinh(x); }, x)) koila::ops::asinh::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::asinh, asinh> asinh_registered;

}  // namespace koila::inline v0::kernels::cpu
