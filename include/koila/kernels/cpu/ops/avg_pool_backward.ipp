// SPDX-License-Identifier: MIT
#pragma once
// avg_pool_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/pooling.ipp>
#include <koila/ops/internal/avg_pool_backward.hpp>

namespace koila::kernels::cpu {

struct avg_pool_backward {
  using attributes = koila::avg_pool_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
    dx.zero_();
    detail::with_floating_type(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      T* to = dx.mutable_data_ptr<T>();
      const T* from = detail::data<T>(dy);
      const detail::pool p(dx, dy, a.pooling);
      p.for_each([&](index_t plane, index_t o, const auto& d, const auto& h, const auto& w) {
        const auto part =
            static_cast<T>(static_cast<detail::wide<T>>(from[o]) / static_cast<detail::wide<T>>(p.divisor(d, h, w)));
        p.elements(d, h, w, [&](index_t e) { to[plane + e] = static_cast<T>(to[plane + e] + part); });
      });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::avg_pool_backward, avg_pool_backward>
    avg_pool_backward_registered;

}  // namespace koila::kernels::cpu
