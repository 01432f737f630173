// SPDX-License-Identifier: MIT
#pragma once
// prod_over on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/internal/prod_over.hpp>

#include <ATen/ops/prod_ops.h>

namespace koila::inline v0::kernels::cpu {

struct prod_over {
  using attributes = koila::internal::prod_over::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    if (!detail::reduces_in_parts(y, x)) return koila::internal::prod_over::evaluate(y, x, a);
    detail::reduce_in_parts(y, x.scalar_type() == y.scalar_type() ? x : x.to(y.scalar_type()),
                            [](at::Tensor to, const at::Tensor& from, at::OptionalIntArrayRef dims) {
                              at::_ops::prod_int_out::call(dims ? from : from.view({-1}), dims ? 1 : 0, false,
                                                           to.scalar_type(), to);
                            });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::prod_over, prod_over> prod_over_registered;

}  // namespace koila::inline v0::kernels::cpu
