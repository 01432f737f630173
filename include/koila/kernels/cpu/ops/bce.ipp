// SPDX-License-Identifier: MIT
#pragma once
// bce on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/internal/bce.hpp>

namespace koila::inline v0::kernels::cpu {

struct bce {
  static void evaluate(at::Tensor& loss, const at::Tensor& x, const at::Tensor& y) {
    koila::internal::bce::evaluate(loss, x, y);
    // Turns -0 into 0, because the sign of LibTorch's 0 depends on the number of elements.
    detail::each_by_libm(loss, [](auto v) { return v + 0; }, loss);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::bce, bce> bce_registered;

}  // namespace koila::inline v0::kernels::cpu
