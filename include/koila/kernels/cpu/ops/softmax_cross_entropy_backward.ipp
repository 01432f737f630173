// SPDX-License-Identifier: MIT
#pragma once
// softmax_cross_entropy_backward on the host.
#include <koila/kernels/cpu/cross_entropy.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/softmax_cross_entropy_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct softmax_cross_entropy_backward {
  using attributes = koila::internal::softmax_cross_entropy_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& label,
                       const attributes& a) {
    detail::pull_cross_entropy_back(dx, nullptr, dy, x, label, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<
    struct koila::internal::softmax_cross_entropy_backward, softmax_cross_entropy_backward>
    softmax_cross_entropy_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
