// SPDX-License-Identifier: MIT
#pragma once
// mask_labels on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/internal/mask_labels.hpp>

namespace koila::inline v0::kernels::cpu {

struct mask_labels {
  using attributes = koila::internal::mask_labels::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a) {
    const auto* labels = detail::data<std::int64_t>(label);
    detail::with_floating_type(x.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < x.numel(); ++i)
        y.mutable_data_ptr<T>()[i] = labels[i] == a.ignore_index.value ? T(0) : detail::data<T>(x)[i];
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::mask_labels, mask_labels>
    mask_labels_registered;

}  // namespace koila::inline v0::kernels::cpu
