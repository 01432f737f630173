// SPDX-License-Identifier: MIT
#pragma once
// conv2d on the host.
#include <koila/kernels/cpu/convolution.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/convolution/conv2d.hpp>

namespace koila::inline v0::kernels::cpu {

struct conv2d {
  using attributes = koila::conv2d::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const attributes& a) {
    detail::convolve(y, x, w, nullptr, a);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b,
                       const attributes& a) {
    detail::convolve(y, x, w, &b, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::conv2d, conv2d> conv2d_registered;

}  // namespace koila::inline v0::kernels::cpu
