// SPDX-License-Identifier: MIT
#pragma once
// flip on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/index_remap.ipp>
#include <koila/ops/indexing/flip.hpp>

namespace koila::inline v0::kernels::cpu {

struct flip {
  using attributes = koila::flip::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const int rank = static_cast<int>(y.dim());
    detail::remap(y, x, [&](int d, auto i, auto n) { return a.has(d, rank) ? n - 1 - i : i; });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::flip, flip> flip_registered;

}  // namespace koila::inline v0::kernels::cpu
