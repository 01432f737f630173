// SPDX-License-Identifier: MIT
#pragma once
// label_weights on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/labels.ipp>
#include <koila/ops/internal/label_weights.hpp>

namespace koila::inline v0::kernels::cpu {

struct label_weights {
  using attributes = koila::internal::label_weights::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& label, const at::Tensor& weight, const attributes& a) {
    detail::with_floating_type(weight.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      detail::for_each_label(label, weight.size(0), a, [&](std::int64_t i, std::int64_t c) {
        y.mutable_data_ptr<T>()[i] = c < 0 ? T(0) : detail::data<T>(weight)[c];
      });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::label_weights, label_weights>
    label_weights_registered;

}  // namespace koila::inline v0::kernels::cpu
