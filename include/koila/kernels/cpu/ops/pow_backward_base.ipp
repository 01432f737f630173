// SPDX-License-Identifier: MIT
#pragma once
// pow_backward_base on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/pow_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct pow_backward_base {
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& a, const at::Tensor& b) {
    detail::pull_power_back(dx, dy, a, b,
                            [](at::Tensor& y, const at::Tensor& x, const auto& e) { detail::power_into(y, x, e); });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::pow_backward_base,
                                                                  pow_backward_base> pow_backward_base_registered;

}  // namespace koila::inline v0::kernels::cpu
