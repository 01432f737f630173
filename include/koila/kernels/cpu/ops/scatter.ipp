// SPDX-License-Identifier: MIT
#pragma once
// scatter on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/indexing/scatter.hpp>

namespace koila::inline v0::kernels::cpu {

struct scatter {
  using attributes = koila::scatter::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const at::Tensor& src,
                       const attributes& a) {
    y.copy_(x);
    detail::for_dtype(y.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      T* const to = y.mutable_data_ptr<T>();
      detail::for_each_scattered<T>(y, a.dim.value, index, src, [&](auto position, T from) { to[position] = from; });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::scatter, scatter> scatter_registered;

}  // namespace koila::inline v0::kernels::cpu
