// SPDX-License-Identifier: MIT
#pragma once
// embedding_backward on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/embedding.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/internal/embedding_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct embedding_backward {
  using attributes = koila::internal::embedding_backward::attributes;
  static void evaluate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& index, const at::Tensor& w,
                       const attributes& a) {
    dw.zero_();
    accumulate(dw, dy, index, w, a);
  }
  static void accumulate(at::Tensor& dw, const at::Tensor& dy, const at::Tensor& index, const at::Tensor&,
                         const attributes& a) {
    const std::int64_t width = dw.size(1), padding = a.padding(dw.size(0));
    detail::as_float32 sums(dw);
    detail::with_floating_type(dw, [&](auto zero) {
      using T = decltype(zero);
      using S = at::opmath_type<T>;
      S* const to = (*sums).mutable_data_ptr<S>();
      const T* const from = detail::data<T>(dy);
      detail::for_each_row(index, dw.size(0), [&](std::int64_t i, std::int64_t row) {
        if (row == padding) return;
        for (std::int64_t k = 0; k < width; ++k) to[row * width + k] += static_cast<S>(from[i * width + k]);
      });
    });
    sums.round();
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::internal::embedding_backward,
                                                                  embedding_backward> embedding_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
