// SPDX-License-Identifier: MIT
#pragma once
// sigmoid_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/sigmoid_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct sigmoid_backward {
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& y) {
    if (!detail::each_by_libm(dx, detail::sigmoid_backward_of, dy, y))
      koila::internal::sigmoid_backward::evaluate(dx, dy, y);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::sigmoid_backward,
                                                                  sigmoid_backward> sigmoid_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
