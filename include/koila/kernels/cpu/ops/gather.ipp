// SPDX-License-Identifier: MIT
#pragma once
// gather on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/indexing/gather.hpp>

namespace koila::inline v0::kernels::cpu {

struct gather {
  using attributes = koila::gather::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const attributes& a) {
    detail::for_width(y.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      T* const to = static_cast<T*>(y.mutable_data_ptr());
      const T* const from = detail::data<T>(x);
      detail::for_each_gathered(x, a.dim.value, index, [&](auto position, auto i) { to[i] = from[position]; });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::gather, gather> gather_registered;

}  // namespace koila::inline v0::kernels::cpu
