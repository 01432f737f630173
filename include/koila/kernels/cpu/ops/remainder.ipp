// SPDX-License-Identifier: MIT
#pragma once
// remainder on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/libm.ipp>
#include <koila/ops/pointwise/remainder.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

struct remainder {
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
    const auto of_elements = [](auto a, auto b) {
      const auto rest = std::fmod(a, b);
      return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
    };
    if (!detail::each_by_libm(y, of_elements, a, b)) koila::ops::remainder::evaluate(y, a, b);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::ops::remainder, remainder> remainder_registered;

}  // namespace koila::inline v0::kernels::cpu
