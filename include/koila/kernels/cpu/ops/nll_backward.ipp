// SPDX-License-Identifier: MIT
#pragma once
// nll_backward on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/labels.ipp>
#include <koila/ops/internal/nll_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct nll_backward {
  using attributes = koila::internal::nll_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const at::Tensor& label,
                       const attributes& a) {
    dx.zero_();
    detail::for_each_labelled(dx, label, a, [&](auto zero, std::int64_t i, std::int64_t position) {
      using T = decltype(zero);
      if (position >= 0) dx.mutable_data_ptr<T>()[position] = static_cast<T>(-detail::data<T>(dy)[i]);
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::nll_backward, nll_backward>
    nll_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
