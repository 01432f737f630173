// SPDX-License-Identifier: MIT
#pragma once
// sum on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0::kernels::cpu {

struct sum {
  using attributes = koila::sum::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    detail::add_up(y, x, detail::reduced_dims(a, x).given(), a.keepdim.value);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::sum, sum> sum_registered;

}  // namespace koila::inline v0::kernels::cpu
