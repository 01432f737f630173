// SPDX-License-Identifier: MIT
#pragma once
// scatter_add on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/indexing/scatter_add.hpp>

namespace koila::kernels::cpu {

struct scatter_add {
  using attributes = koila::scatter_add::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const at::Tensor& src,
                       const attributes& a) {
    y.copy_(x);
    detail::for_each_scattered(y, a.dim.value, index, src, [](auto& to, auto from) {
      to = static_cast<std::remove_reference_t<decltype(to)>>(to + from);
    });
  }
};
inline const host_kernel<struct koila::scatter_add, scatter_add> scatter_add_registered;

}  // namespace koila::kernels::cpu
