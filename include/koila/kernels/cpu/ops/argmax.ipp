// SPDX-License-Identifier: MIT
#pragma once
// argmax on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/reduction.ipp>
#include <koila/ops/reduction/argmax.hpp>

#include <ATen/ops/argmax_ops.h>

namespace koila::inline v0::kernels::cpu {

struct argmax {
  using attributes = koila::argmax::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    if (!detail::reduces_in_parts(y, x)) return koila::argmax::evaluate(y, x, a);
    const auto along = [](at::Tensor to, const at::Tensor& from, std::int64_t dim) {
      at::_ops::argmax_out::call(from, dim, false, to);
    };
    detail::find_in_parts(y, x, along, [](const auto& now, const auto& best) { return detail::is_larger(now, best); });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::argmax, argmax> argmax_registered;

}  // namespace koila::inline v0::kernels::cpu
