// SPDX-License-Identifier: MIT
#pragma once
// selu on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/ops/elu_by_libm.hpp>
#include <koila/ops/activation/selu.hpp>

namespace koila::inline v0::kernels::cpu {

struct selu {
  using attributes = koila::selu::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    elu_by_libm(y, x, koila::selu::factors(a));
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::selu, selu> selu_registered;

}  // namespace koila::inline v0::kernels::cpu
