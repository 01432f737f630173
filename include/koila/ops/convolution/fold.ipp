// SPDX-License-Identifier: MIT
#pragma once
// Definitions of fold.hpp.
#include <koila/ops/common/spatial_values.ipp>
#include <koila/ops/convolution/fold.hpp>

#include <ATen/ops/col2im_ops.h>

namespace koila::inline v0 {

void fold::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const auto two = [](const attr_list& l) { return detail::spatial_values(l, 2); };
  at::_ops::col2im_out::call(x, two(a.output_size), two(a.kernel_size), two(a.dilation), two(a.padding), two(a.stride),
                             y);
}

}  // namespace koila::inline v0
