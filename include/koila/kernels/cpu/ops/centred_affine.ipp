// SPDX-License-Identifier: MIT
#pragma once
// centred_affine on the host.
#include <koila/kernels/cpu/copies.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/internal/centred_affine.hpp>

namespace koila::inline v0::kernels::cpu {

struct centred_affine {
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& mean, const at::Tensor& scale,
                       const at::Tensor& shift) {
    detail::copy_values(y, x.expand_as(y));
    y.sub_(mean).mul_(scale).add_(shift);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::centred_affine,
                                                                  centred_affine> centred_affine_registered;

}  // namespace koila::inline v0::kernels::cpu
