// SPDX-License-Identifier: MIT
#pragma once
// conv_input on the host.
#include <koila/kernels/cpu/convolution.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/conv_input.hpp>

namespace koila::inline v0::kernels::cpu {

struct conv_input {
  using attributes = koila::internal::conv_input::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& w, const at::Tensor&,
                       const attributes& a) {
    detail::convolve_transposed(dx, dy, w, nullptr, a);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::conv_input, conv_input> conv_input_registered;

}  // namespace koila::inline v0::kernels::cpu
