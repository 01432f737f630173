// SPDX-License-Identifier: MIT
#pragma once
// dropout_attention on the host.
#include <koila/kernels/cpu/attention.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/dropout_attention.hpp>

namespace koila::inline v0::kernels::cpu {

struct dropout_attention {
  using attributes = koila::internal::dropout_attention::attributes;
  static void draw(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const attributes& a,
                   const detail::portion& where) {
    detail::attend(y, {q, k, v, nullptr}, a, where);
  }
  static void draw(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                   const attributes& a, const detail::portion& where) {
    detail::attend(y, {q, k, v, &mask}, a, where);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::dropout_attention,
                                                                  dropout_attention> dropout_attention_registered;

}  // namespace koila::inline v0::kernels::cpu
