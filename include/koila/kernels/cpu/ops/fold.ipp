// SPDX-License-Identifier: MIT
#pragma once
// fold on the host.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/im2col.ipp>
#include <koila/ops/convolution/fold.hpp>

namespace koila::inline v0::kernels::cpu {

struct fold {
  using attributes = koila::fold::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const dims image = detail::dims_of_sizes(y);
    const detail::windows g = detail::windows_over(image, a);
    detail::as_float32 sums(y, false);
    (*sums).zero_();
    detail::with_floating_type(x.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      detail::add_col2im(g, image.count(0, image.rank - 2), g.all(), detail::data<T>(x),
                         (*sums).mutable_data_ptr<at::opmath_type<T>>());
    });
    sums.round();
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::fold, fold> fold_registered;

}  // namespace koila::inline v0::kernels::cpu
