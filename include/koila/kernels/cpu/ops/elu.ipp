// SPDX-License-Identifier: MIT
#pragma once
// elu on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/ops/elu_by_libm.hpp>
#include <koila/ops/activation/elu.hpp>

namespace koila::inline v0::kernels::cpu {

struct elu {
  using attributes = koila::elu::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    elu_by_libm(y, x, koila::elu::factors(a));
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::elu, elu> elu_registered;

}  // namespace koila::inline v0::kernels::cpu
