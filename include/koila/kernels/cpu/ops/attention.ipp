// SPDX-License-Identifier: MIT
#pragma once
// attention on the host.
#include <koila/kernels/cpu/attention.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/attention.hpp>

namespace koila::inline v0::kernels::cpu {

struct attention {
  using attributes = koila::internal::attention::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const attributes& a) {
    detail::attend(y, {q, k, v, nullptr}, a);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const at::Tensor& mask, const attributes& a) {
    detail::attend(y, {q, k, v, &mask}, a);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::attention, attention> attention_registered;

}  // namespace koila::inline v0::kernels::cpu
