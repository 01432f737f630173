// SPDX-License-Identifier: MIT
#pragma once
// one_hot on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/indexing/one_hot.hpp>

namespace koila::inline v0::kernels::cpu {

struct one_hot {
  using attributes = koila::one_hot::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    y.zero_();
    const std::int64_t n = a.num_classes.value;
    auto* const to = y.mutable_data_ptr<std::int64_t>();
    const auto* const label = detail::data<std::int64_t>(x);
    for (std::int64_t i = 0; i < x.numel(); ++i) to[i * n + detail::checked_index(label[i], n)] = 1;
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::one_hot, one_hot> one_hot_registered;

}  // namespace koila::inline v0::kernels::cpu
