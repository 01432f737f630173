// SPDX-License-Identifier: MIT
#pragma once
// fold on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/im2col.ipp>
#include <koila/ops/convolution/fold.hpp>

namespace koila::kernels::cpu {

struct fold {
  using attributes = koila::fold::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const dims image = detail::dims_of_sizes(y);
    const windows g = detail::windows_over(image, a);
    y.zero_();
    detail::with_floating_type(x.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      detail::add_col2im(g, image.count(0, image.rank - 2), g.all(), detail::data<T>(x), y.mutable_data_ptr<T>());
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::fold, fold> fold_registered;

}  // namespace koila::kernels::cpu
