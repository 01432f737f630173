// SPDX-License-Identifier: MIT
#pragma once
// pow on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/pow.hpp>
#include <koila/torch/tensor.hpp>

namespace koila::inline v0::kernels::cpu {

struct pow {
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
    if (detail::is_wrapped_number(b)) detail::power_into(y, a, b.item());
    else detail::power_into(y, a, b);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::pow, pow> pow_registered;

}  // namespace koila::inline v0::kernels::cpu
