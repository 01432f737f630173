// SPDX-License-Identifier: MIT
#pragma once
// hardsigmoid_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/hardsigmoid_backward.hpp>

namespace koila::inline v0::kernels::cpu {

// LibTorch's operator is not used, because the operator rounds 1 / 6 to float32 even in float64.
struct hardsigmoid_backward {
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x) {
    if (!detail::each_by_libm(dx, detail::hardsigmoid_backward_of, dy, x))
      koila::internal::hardsigmoid_backward::evaluate(dx, dy, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::hardsigmoid_backward,
                                                                  hardsigmoid_backward> hardsigmoid_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
