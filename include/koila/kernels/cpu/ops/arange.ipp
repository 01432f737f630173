// SPDX-License-Identifier: MIT
#pragma once
// arange on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/creation/arange.hpp>

namespace koila::inline v0::kernels::cpu {

struct arange {
  static void evaluate(at::Tensor& y, const koila::arange::attributes& a) { detail::fill_arange(y, a); }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::arange, arange> arange_registered;

}  // namespace koila::inline v0::kernels::cpu
