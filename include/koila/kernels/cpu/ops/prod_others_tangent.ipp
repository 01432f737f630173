// SPDX-License-Identifier: MIT
#pragma once
// prod_others_tangent on the host.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/prod_others_tangent.hpp>

namespace koila::inline v0::kernels::cpu {

struct prod_others_tangent {
  using attributes = koila::internal::prod_others_tangent::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& v, const at::Tensor& x, const attributes& a) {
    std::vector<detail::dual> before;
    detail::for_each_line_of_numbers(y, x, v, {}, a, [&](std::int64_t n, auto from, auto along, auto, auto put) {
      before.resize(static_cast<std::size_t>(n));
      detail::pull_back_products(
          n, [=](std::int64_t i) { return detail::dual{from(i), along(i)}; },
          [=](std::int64_t i) { return detail::dual{i == n - 1 ? 1.0 : 0.0}; }, before.data(),
          [=](std::int64_t i, const detail::dual& value) { put(i, value.slope); });
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::prod_others_tangent,
                                                                  prod_others_tangent> prod_others_tangent_registered;

}  // namespace koila::inline v0::kernels::cpu
