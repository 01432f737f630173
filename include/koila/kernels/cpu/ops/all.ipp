// SPDX-License-Identifier: MIT
#pragma once
// all on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/reduction/all.hpp>

#include <ATen/ops/all_ops.h>

namespace koila::inline v0::kernels::cpu {

struct all {
  using attributes = koila::all::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const auto over = [](at::Tensor to, const at::Tensor& from, at::OptionalIntArrayRef dims) {
      at::_ops::all_dims_out::call(from, dims, false, to);
    };
    if (detail::reduces_in_parts(y, x)) detail::reduce_in_parts(y, x, over);
    else koila::all::evaluate(y, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::all, all> all_registered;

}  // namespace koila::inline v0::kernels::cpu
