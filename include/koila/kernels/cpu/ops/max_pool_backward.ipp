// SPDX-License-Identifier: MIT
#pragma once
// max_pool_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/pooling.ipp>
#include <koila/ops/internal/max_pool_backward.hpp>

namespace koila::kernels::cpu {

struct max_pool_backward {
  using attributes = koila::max_pool_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
    dx.zero_();
    detail::with_floating_type(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      T* to = dx.mutable_data_ptr<T>();
      const T* from = detail::data<T>(dy);
      detail::pool(x, dy, a.pooling).for_each_maximum(detail::data<T>(x), [&](index_t o, index_t e, T) {
        if (e >= 0) to[e] = static_cast<T>(to[e] + from[o]);
      });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::max_pool_backward, max_pool_backward>
    max_pool_backward_registered;

}  // namespace koila::kernels::cpu
