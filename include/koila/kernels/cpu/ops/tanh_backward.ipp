// SPDX-License-Identifier: MIT
#pragma once
// tanh_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/tanh_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct tanh_backward {
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y) {
    if (!detail::each_by_libm(dx, detail::tanh_backward_of, dy, y)) koila::internal::tanh_backward::evaluate(dx, dy, y);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::tanh_backward, tanh_backward>
    tanh_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
