// SPDX-License-Identifier: MIT
#pragma once
// argmin on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/reduction/argmin.hpp>

#include <ATen/ops/argmin_ops.h>

namespace koila::inline v0::kernels::cpu {

struct argmin {
  using attributes = koila::argmin::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    if (!detail::reduces_in_parts(y, x)) return koila::argmin::evaluate(y, x, a);
    const auto along = [](at::Tensor to, const at::Tensor& from, std::int64_t dim) {
      at::_ops::argmin_out::call(from, dim, false, to);
    };
    detail::find_in_parts(y, x, along, [](const auto& now, const auto& best) { return detail::is_smaller(now, best); });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::argmin, argmin> argmin_registered;

}  // namespace koila::inline v0::kernels::cpu
