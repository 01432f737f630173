// SPDX-License-Identifier: MIT
#pragma once
// celu on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/ops/elu_by_libm.hpp>
#include <koila/ops/activation/celu.hpp>

namespace koila::inline v0::kernels::cpu {

struct celu {
  using attributes = koila::celu::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    elu_by_libm(y, x, koila::celu::factors(a));
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::celu, celu> celu_registered;

}  // namespace koila::inline v0::kernels::cpu
