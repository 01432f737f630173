// SPDX-License-Identifier: MIT
#pragma once
// avg_pool on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/pooling.ipp>
#include <koila/ops/internal/avg_pool.hpp>

namespace koila::inline v0::kernels::cpu {

struct avg_pool {
  using attributes = koila::internal::avg_pool::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    detail::with_floating_type(y.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      T* to = y.mutable_data_ptr<T>();
      const T* from = detail::data<T>(x);
      const detail::pool p(x, y, a.pooling);
      p.for_each([&](index_t plane, index_t o, const auto& d, const auto& h, const auto& w) {
        at::opmath_type<T> sum = 0;
        p.elements(d, h, w, [&](index_t e) { sum += static_cast<at::opmath_type<T>>(from[plane + e]); });
        to[o] = static_cast<T>(sum / static_cast<at::opmath_type<T>>(p.divisor(d, h, w)));
      });
    });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::avg_pool, avg_pool> avg_pool_registered;

}  // namespace koila::inline v0::kernels::cpu
