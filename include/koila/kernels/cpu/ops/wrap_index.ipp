// SPDX-License-Identifier: MIT
#pragma once
// wrap_index on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/internal/wrap_index.hpp>

namespace koila::inline v0::kernels::cpu {

struct wrap_index {
  using attributes = koila::internal::wrap_index::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    auto* const to = y.mutable_data_ptr<std::int64_t>();
    const auto* const from = detail::data<std::int64_t>(x);
    for (std::int64_t i = 0; i < x.numel(); ++i) to[i] = detail::checked_index(from[i], a.n.value, true);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::wrap_index, wrap_index> wrap_index_registered;

}  // namespace koila::inline v0::kernels::cpu
