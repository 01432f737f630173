// SPDX-License-Identifier: MIT
#pragma once
// mish on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/activation/mish.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct mish {
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (!detail::each_by_libm(y, [](auto x) { return x * std::tanh(std::log1p(std::exp(x))); }, x))
      koila::mish::evaluate(y, x);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::mish, mish> mish_registered;

}  // namespace koila::inline v0::kernels::cpu
