// SPDX-License-Identifier: MIT
#pragma once
// avg_pool_backward on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/pooling.ipp>
#include <koila/ops/internal/avg_pool_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct avg_pool_backward {
  using attributes = koila::internal::avg_pool_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
    detail::as_float32 sums(dx, false);
    (*sums).zero_();
    detail::with_floating_type(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using S = at::opmath_type<T>;
      S* const to = (*sums).mutable_data_ptr<S>();
      const T* const from = detail::data<T>(dy);
      const detail::pool p(dx, dy, a.pooling);
      p.for_each([&](index_t plane, index_t o, const auto& d, const auto& h, const auto& w) {
        const S part = static_cast<S>(from[o]) / static_cast<S>(p.divisor(d, h, w));
        p.elements(d, h, w, [&](index_t e) { to[plane + e] += part; });
      });
    });
    sums.round();
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::avg_pool_backward,
                                                                  avg_pool_backward> avg_pool_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
