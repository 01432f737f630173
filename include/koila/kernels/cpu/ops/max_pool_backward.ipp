// SPDX-License-Identifier: MIT
#pragma once
// max_pool_backward on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/pooling.ipp>
#include <koila/ops/internal/max_pool_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct max_pool_backward {
  using attributes = koila::internal::max_pool_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
    detail::as_float32 sums(dx, false);
    (*sums).zero_();
    detail::with_floating_type(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using S = at::opmath_type<T>;
      S* const to = (*sums).mutable_data_ptr<S>();
      const T* const from = detail::data<T>(dy);
      detail::pool(x, dy, a.pooling).for_each_maximum(detail::data<T>(x), [&](index_t o, index_t e, T) {
        if (e >= 0) to[e] += static_cast<S>(from[o]);
      });
    });
    sums.round();
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::max_pool_backward,
                                                                  max_pool_backward> max_pool_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
