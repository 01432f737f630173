// SPDX-License-Identifier: MIT
#pragma once
// upsample on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/interpolation.ipp>
#include <koila/ops/internal/upsample.hpp>

namespace koila::inline v0::kernels::cpu {

struct upsample {
  using attributes = koila::internal::upsample::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    detail::with_floating_type(y.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using A = at::opmath_type<T>;
      T* to = y.mutable_data_ptr<T>();
      const T* from = detail::data<T>(x);
      index_t last = -1;
      A sum = 0;
      detail::for_each_tap<A>(x, y, a.interpolation, [&](index_t i, index_t o, A weight) {
        const A part = static_cast<A>(from[i]) * weight;
        sum = o == last ? sum + part : part;
        to[last = o] = static_cast<T>(sum);
      });
    });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::upsample, upsample> upsample_registered;

}  // namespace koila::inline v0::kernels::cpu
