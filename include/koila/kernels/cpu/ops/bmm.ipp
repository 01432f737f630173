// SPDX-License-Identifier: MIT
#pragma once
// bmm on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/matrices.ipp>
#include <koila/ops/linalg/bmm.hpp>

namespace koila::inline v0::kernels::cpu {

struct bmm {
  static void evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { detail::multiply(y, a, b); }
  static void accumulate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { detail::multiply(y, a, b, &y); }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::bmm, bmm> bmm_registered;

}  // namespace koila::inline v0::kernels::cpu
