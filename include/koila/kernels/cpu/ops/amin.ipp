// SPDX-License-Identifier: MIT
#pragma once
// amin on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/reduction/amin.hpp>

#include <ATen/ops/amin_ops.h>

namespace koila::inline v0::kernels::cpu {

struct amin {
  using attributes = koila::amin::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const auto over = [](at::Tensor to, const at::Tensor& from, at::OptionalIntArrayRef dims) {
      at::_ops::amin_out::call(from, dims.value_or(at::IntArrayRef()), false, to);
    };
    if (detail::reduces_in_parts(y, x)) detail::reduce_in_parts(y, x, over);
    else koila::amin::evaluate(y, x, a);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::amin, amin> amin_registered;

}  // namespace koila::inline v0::kernels::cpu
