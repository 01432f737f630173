// SPDX-License-Identifier: MIT
#pragma once
// unfold on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/im2col.ipp>
#include <koila/ops/convolution/unfold.hpp>

namespace koila::inline v0::kernels::cpu {

struct unfold {
  using attributes = koila::unfold::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const dims image = detail::dims_of_sizes(x);
    const detail::windows g = detail::windows_over(image, a);
    detail::with_floating_type(x.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      detail::im2col(g, image.count(0, image.rank - 2), g.all(), detail::data<T>(x), y.mutable_data_ptr<T>());
    });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::unfold, unfold> unfold_registered;

}  // namespace koila::inline v0::kernels::cpu
