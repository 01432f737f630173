// SPDX-License-Identifier: MIT
#pragma once
// sum_to on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/internal/sum_to.hpp>

namespace koila::inline v0::kernels::cpu {

struct sum_to {
  static void evaluate(at::Tensor& y, const at::Tensor& dy, const at::Tensor&) {
    detail::sum_broadcast(y, dy, detail::add_up);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::sum_to, sum_to> sum_to_registered;

}  // namespace koila::inline v0::kernels::cpu
