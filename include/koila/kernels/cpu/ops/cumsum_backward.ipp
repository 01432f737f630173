// SPDX-License-Identifier: MIT
#pragma once
// cumsum_backward on the host.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/cumsum_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct cumsum_backward {
  using attributes = koila::internal::cumsum_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const attributes& a) {
    detail::for_each_line_of_numbers(dx, dy, {}, {}, a, [](std::int64_t n, auto from, auto, auto, auto put) {
      double sum = 0;
      for (std::int64_t i = n - 1; i >= 0; --i) put(i, sum += from(i));
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::cumsum_backward,
                                                                  cumsum_backward> cumsum_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
