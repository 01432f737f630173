// SPDX-License-Identifier: MIT
#pragma once
// cumprod_tangent on the host.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/cumprod_tangent.hpp>

namespace koila::inline v0::kernels::cpu {

struct cumprod_tangent {
  using attributes = koila::internal::cumprod_tangent::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& v, const at::Tensor& x, const attributes& a) {
    detail::for_each_line_of_numbers(y, x, v, {}, a, [](std::int64_t n, auto from, auto along, auto, auto put) {
      detail::dual product{1};
      for (std::int64_t i = 0; i < n; ++i) {
        product = product * detail::dual{from(i), along(i)};
        put(i, product.slope);
      }
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::cumprod_tangent,
                                                                  cumprod_tangent> cumprod_tangent_registered;

}  // namespace koila::inline v0::kernels::cpu
