// SPDX-License-Identifier: MIT
#pragma once
// conv_transpose2d on the host.
#include <koila/kernels/cpu/convolution.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/convolution/conv_transpose2d.hpp>

namespace koila::inline v0::kernels::cpu {

struct conv_transpose2d {
  using attributes = koila::conv_transpose2d::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const attributes& a) {
    detail::convolve_transposed(y, x, w, nullptr, a);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a) {
    detail::convolve_transposed(y, x, w, &b, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::conv_transpose2d, conv_transpose2d>
    conv_transpose2d_registered;

}  // namespace koila::inline v0::kernels::cpu
