// SPDX-License-Identifier: MIT
#pragma once
// fmod on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/fmod.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct fmod {
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
    if (!detail::each_by_libm(y, [](auto a, auto b) { return std::fmod(a, b); }, a, b))
      koila::ops::fmod::evaluate(y, a, b);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::ops::fmod, fmod> fmod_registered;

}  // namespace koila::inline v0::kernels::cpu
