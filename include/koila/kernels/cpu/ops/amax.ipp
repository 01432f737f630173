// SPDX-License-Identifier: MIT
#pragma once
// amax on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/reduction/amax.hpp>

#include <ATen/ops/amax_ops.h>

namespace koila::inline v0::kernels::cpu {

struct amax {
  using attributes = koila::amax::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const auto over = [](at::Tensor to, const at::Tensor& from, at::OptionalIntArrayRef dims) {
      at::_ops::amax_out::call(from, dims.value_or(at::IntArrayRef()), false, to);
    };
    if (detail::reduces_in_parts(y, x)) detail::reduce_in_parts(y, x, over);
    else koila::amax::evaluate(y, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::amax, amax> amax_registered;

}  // namespace koila::inline v0::kernels::cpu
