// SPDX-License-Identifier: MIT
#pragma once
// conv_weight on the host.
#include <koila/kernels/cpu/convolution.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/conv_weight.hpp>

namespace koila::inline v0::kernels::cpu {

struct conv_weight {
  using attributes = koila::internal::conv_weight::attributes;
  static void evaluate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& x, const at::Tensor&,
                       const attributes& a) {
    detail::convolve_weight(dw, dy, x, a, false);
  }
  static void accumulate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& x, const at::Tensor&,
                         const attributes& a) {
    detail::convolve_weight(dw, dy, x, a, true);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::conv_weight, conv_weight>
    conv_weight_registered;

}  // namespace koila::inline v0::kernels::cpu
