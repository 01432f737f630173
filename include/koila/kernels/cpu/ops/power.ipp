// SPDX-License-Identifier: MIT
#pragma once
// power on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/power.hpp>

namespace koila::inline v0::kernels::cpu {

struct power {
  using attributes = koila::internal::power::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    detail::power_into(y, x, at::Scalar(a.exponent.value));
    detail::infinity_to_zero(y, a.exponent.value);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::power, power> power_registered;

}  // namespace koila::inline v0::kernels::cpu
