// SPDX-License-Identifier: MIT
#pragma once
// max_pool_at on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/pooling.ipp>
#include <koila/ops/internal/max_pool_at.hpp>

namespace koila::inline v0::kernels::cpu {

struct max_pool_at {
  using attributes = koila::internal::max_pool_at::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& v, const at::Tensor& x, const attributes& a) {
    detail::with_floating_type(y.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      T* to = y.mutable_data_ptr<T>();
      const T* from = detail::data<T>(v);
      const detail::pool pool(x, y, a.pooling);
      const T* const of = detail::data<T>(x);
      if (from == of) return pool.for_each_maximum(of, [&](index_t o, index_t, T most) { to[o] = most; });
      pool.for_each_maximum(of, [&](index_t o, index_t e, T none) { to[o] = e < 0 ? none : from[e]; });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::max_pool_at, max_pool_at>
    max_pool_at_registered;

}  // namespace koila::inline v0::kernels::cpu
