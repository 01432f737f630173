// SPDX-License-Identifier: MIT
#pragma once
// any_of on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/reduction/any.hpp>

#include <ATen/ops/any_ops.h>

namespace koila::inline v0::kernels::cpu {

struct any_of {
  using attributes = koila::internal::any_of::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const auto over = [](at::Tensor to, const at::Tensor& from, at::OptionalIntArrayRef dims) {
      at::_ops::any_dims_out::call(from, dims, false, to);
    };
    if (detail::reduces_in_parts(y, x)) detail::reduce_in_parts(y, x, over);
    else koila::internal::any_of::evaluate(y, x, a);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::any_of, any_of> any_of_registered;

}  // namespace koila::inline v0::kernels::cpu
