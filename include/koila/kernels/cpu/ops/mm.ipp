// SPDX-License-Identifier: MIT
#pragma once
// mm on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/matrices.ipp>
#include <koila/ops/linalg/mm.hpp>

namespace koila::inline v0::kernels::cpu {

struct mm {
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { detail::multiply(y, a, b); }
  static void accumulate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
    if (a.size(1) != 0) detail::multiply(y, a, b, &y);  // LibTorch's operator allocates temporaries even if k is 0
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::mm, mm> mm_registered;

}  // namespace koila::inline v0::kernels::cpu
