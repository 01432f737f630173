// SPDX-License-Identifier: MIT
#pragma once
// cumprod_backward on the host.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/cumprod_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct cumprod_backward {
  using attributes = koila::internal::cumprod_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
    std::vector<double> before;
    detail::for_each_line_of_numbers(dx, x, {}, dy, a, [&](std::int64_t n, auto from, auto, auto cotangent, auto put) {
      before.resize(static_cast<std::size_t>(n));
      detail::pull_back_products(n, from, cotangent, before.data(), put);
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::cumprod_backward,
                                                                  cumprod_backward> cumprod_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
