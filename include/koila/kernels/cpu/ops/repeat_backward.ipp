// SPDX-License-Identifier: MIT
#pragma once
// repeat_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/common/repeats.ipp>
#include <koila/ops/internal/repeat_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct repeat_backward {
  using attributes = koila::internal::repeat_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
    const detail::repetitions r(dx, dy, a);
    detail::add_up(dx.view(r.single()), dy.view(r.all()), r.over(), true);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::repeat_backward,
                                                                  repeat_backward> repeat_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
