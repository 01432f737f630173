// SPDX-License-Identifier: MIT
#pragma once
// nll on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/labels.ipp>
#include <koila/ops/internal/nll.hpp>

namespace koila::inline v0::kernels::cpu {

struct nll {
  using attributes = koila::internal::nll::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a) {
    detail::for_each_labelled(x, label, a, [&](auto zero, std::int64_t i, std::int64_t position) {
      using T = decltype(zero);
      y.mutable_data_ptr<T>()[i] = position < 0 ? T(0) : static_cast<T>(-detail::data<T>(x)[position]);
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::nll, nll> nll_registered;

}  // namespace koila::inline v0::kernels::cpu
