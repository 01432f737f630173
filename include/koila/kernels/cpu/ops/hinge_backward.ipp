// SPDX-License-Identifier: MIT
#pragma once
// hinge_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/hinge_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct hinge_backward {
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x) {
    const auto slope = []<class T>(T d, T v) { return v >= 0 ? d : T{}; };
    if (!detail::each_by_libm(dx, slope, dy, x)) koila::internal::hinge_backward::evaluate(dx, dy, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::hinge_backward,
                                                                  hinge_backward> hinge_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
