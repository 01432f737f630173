// SPDX-License-Identifier: MIT
#pragma once
// index_select_backward on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/internal/index_select_backward.hpp>

namespace koila::inline v0::kernels::cpu {

struct index_select_backward {
  using attributes = koila::internal::index_select_backward::attributes;
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& index,
                       const attributes& a) {
    dx.zero_();
    accumulate(dx, dy, x, index, a);
  }
  static void accumulate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const at::Tensor& index,
                         const attributes& a) {
    if (dy.numel() == 0) return;
    const auto d = a.dim.value < 0 ? a.dim.value + dx.dim() : a.dim.value;
    const auto inner = c10::multiply_integers(dx.sizes().slice(static_cast<std::size_t>(d + 1)));
    detail::as_float32 sums(dx);
    detail::for_dtype(dx.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      using S = at::opmath_type<T>;
      detail::for_each_row(dx, d, index, a.from_end.value, [&](auto to_row, auto from_row) {
        S* const to = (*sums).mutable_data_ptr<S>() + to_row * inner;
        const T* const from = detail::data<T>(dy) + from_row * inner;
        for (std::int64_t j = 0; j < inner; ++j) to[j] = static_cast<S>(to[j] + static_cast<S>(from[j]));
      });
    });
    sums.round();
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::internal::index_select_backward, index_select_backward>
    index_select_backward_registered;

}  // namespace koila::inline v0::kernels::cpu
