// SPDX-License-Identifier: MIT
#pragma once
// count_labels on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/count_labels.hpp>

namespace koila::inline v0::kernels::cpu {

struct count_labels {
  using attributes = koila::internal::count_labels::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& label, const at::Tensor&, const attributes& a) {
    const auto* labels = detail::data<std::int64_t>(label);
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < label.numel(); ++i) n += labels[i] != a.ignore_index.value ? 1 : 0;
    y.fill_(n);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::count_labels, count_labels>
    count_labels_registered;

}  // namespace koila::inline v0::kernels::cpu
