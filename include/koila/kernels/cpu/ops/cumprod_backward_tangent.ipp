// SPDX-License-Identifier: MIT
#pragma once
// cumprod_backward_tangent on the host.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/cumprod_backward_tangent.hpp>

namespace koila::inline v0::kernels::cpu {

struct cumprod_backward_tangent {
  using attributes = koila::internal::cumprod_backward_tangent::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& v, const at::Tensor& dy, const at::Tensor& x,
                       const attributes& a) {
    std::vector<detail::dual> before;
    detail::for_each_line_of_numbers(y, x, v, dy, a,
                                     [&](std::int64_t n, auto from, auto along, auto cotangent, auto put) {
                                       before.resize(static_cast<std::size_t>(n));
                                       detail::pull_back_products(
                                           n, [=](std::int64_t i) { return detail::dual{from(i), along(i)}; },
                                           [=](std::int64_t i) { return detail::dual{cotangent(i)}; }, before.data(),
                                           [=](std::int64_t i, const detail::dual& value) { put(i, value.slope); });
                                     });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<
    struct koila::internal::cumprod_backward_tangent, cumprod_backward_tangent> cumprod_backward_tangent_registered;

}  // namespace koila::inline v0::kernels::cpu
