// SPDX-License-Identifier: MIT
#pragma once
// scatter_add on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/indexing/scatter_add.hpp>

namespace koila::inline v0::kernels::cpu {

struct scatter_add {
  using attributes = koila::scatter_add::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const at::Tensor& src,
                       const attributes& a) {
    detail::as_float32 sums(y, false);
    (*sums).copy_(x);
    detail::for_dtype(y.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using S = at::opmath_type<T>;
      S* const to = (*sums).mutable_data_ptr<S>();
      detail::for_each_scattered<T>(y, a.dim.value, index, src, [&](auto position, T from) {
        to[position] = static_cast<S>(to[position] + static_cast<S>(from));
      });
    });
    sums.round();
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::scatter_add, scatter_add> scatter_add_registered;

}  // namespace koila::inline v0::kernels::cpu
