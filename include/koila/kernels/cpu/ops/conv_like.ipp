// SPDX-License-Identifier: MIT
#pragma once
// conv_like on the host.
#include <koila/kernels/cpu/convolution.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/conv_like.hpp>

namespace koila::inline v0::kernels::cpu {

struct conv_like {
  using attributes = koila::internal::conv_like::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor&,
                       const attributes& a) {
    detail::convolve(y, x, w, nullptr, a);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::conv_like, conv_like> conv_like_registered;

}  // namespace koila::inline v0::kernels::cpu
