// SPDX-License-Identifier: MIT
#pragma once
// xlogx on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/xlogx.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct xlogx {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    const auto of_elements = [](auto x) { return x == 0 ? decltype(x){} : x * std::log(x); };
    if (!detail::each_by_libm(y, of_elements, x)) koila::internal::xlogx::evaluate(y, x);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::xlogx, xlogx> xlogx_registered;

}  // namespace koila::inline v0::kernels::cpu
