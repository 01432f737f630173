// SPDX-License-Identifier: MIT
#pragma once
// prod_others on the host.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/prod_others.hpp>

namespace koila::inline v0::kernels::cpu {

struct prod_others {
  using attributes = koila::internal::prod_others::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    std::vector<double> before;
    detail::for_each_line_of_numbers(y, x, {}, {}, a, [&](std::int64_t n, auto from, auto, auto, auto put) {
      before.resize(static_cast<std::size_t>(n));
      detail::pull_back_products(n, from, [=](std::int64_t i) { return i == n - 1 ? 1.0 : 0.0; }, before.data(), put);
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::prod_others, prod_others>
    prod_others_registered;

}  // namespace koila::inline v0::kernels::cpu
