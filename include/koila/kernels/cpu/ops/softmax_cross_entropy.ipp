// SPDX-License-Identifier: MIT
#pragma once
// softmax_cross_entropy on the host.
#include <koila/kernels/cpu/cross_entropy.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/labels.ipp>
#include <koila/ops/internal/softmax_cross_entropy.hpp>

namespace koila::inline v0::kernels::cpu {

struct softmax_cross_entropy {
  using attributes = koila::internal::softmax_cross_entropy::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& label, const attributes& a) {
    detail::for_each_label(label, x.size(-1), a, [](std::int64_t, std::int64_t) {});
    detail::with_floating_type(x.scalar_type(), [&]<class T>(T) {
      const detail::labelled_rows<T> rows{x, label, a.ignore_index.value};
      detail::cross_entropy_of_rows(rows, static_cast<T*>(y.mutable_data_ptr()));
    });
  }
  static void evaluate_both(at::Tensor& y, at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x,
                            const at::Tensor& label, const attributes& a) {
    detail::pull_cross_entropy_back(dx, &y, dy, x, label, a);
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::softmax_cross_entropy, softmax_cross_entropy>
    softmax_cross_entropy_registered;

}  // namespace koila::inline v0::kernels::cpu
