// SPDX-License-Identifier: MIT
#pragma once
// pad on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/index_remap.ipp>
#include <koila/ops/vision/pad.hpp>

namespace koila::inline v0::kernels::cpu {

struct pad {
  using attributes = koila::pad::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const int rank = static_cast<int>(y.dim());
    detail::for_dtype(y.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      T* const to = y.mutable_data_ptr<T>();
      const T* const from = detail::data<T>(x);
      const T fill = at::Scalar(a.fill_value.value).to<T>();
      detail::for_each_remapped(
          y, x, [&](int d, auto i, auto n) { return a.source(d, rank, i, n); },
          [&](auto i, auto position) { to[i] = position < 0 ? fill : from[position]; });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::pad, pad> pad_registered;

}  // namespace koila::inline v0::kernels::cpu
