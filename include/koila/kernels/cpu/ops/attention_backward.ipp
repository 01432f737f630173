// SPDX-License-Identifier: MIT
#pragma once
// attention_backward on the host.
#include <koila/kernels/cpu/attention.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/attention_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct attention_backward {
  using attributes = koila::internal::attention_backward::attributes;
  static void evaluate(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                       const at::Tensor& k, const at::Tensor& v, const attributes& a) {
    detail::attend_back(all, dy, y, {q, k, v, nullptr}, a);
  }
  static void evaluate(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                       const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, const attributes& a) {
    detail::attend_back(all, dy, y, {q, k, v, &mask}, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::attention_backward,
                                                                  attention_backward> attention_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
