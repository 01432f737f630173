// SPDX-License-Identifier: MIT
#pragma once
// label_weights_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/labels.ipp>
#include <koila/ops/internal/label_weights_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct label_weights_backward {
  using attributes = koila::internal::label_weights_backward::attributes;
  static void evaluate(at::Tensor& dweight, const at::Tensor& dy, const at::Tensor& label, const at::Tensor&,
                       const attributes& a) {
    dweight.zero_();
    detail::with_floating_type(dy.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      detail::for_each_label(label, dweight.size(0), a, [&](std::int64_t i, std::int64_t c) {
        if (c >= 0) dweight.mutable_data_ptr<T>()[c] += detail::data<T>(dy)[i];
      });
    });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::label_weights_backward, label_weights_backward>
    label_weights_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
