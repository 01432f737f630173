// SPDX-License-Identifier: MIT
#pragma once
// Definitions of unfold.hpp.
#include <koila/ops/common/spatial_values.ipp>
#include <koila/ops/convolution/unfold.hpp>

#include <ATen/ops/im2col_ops.h>

namespace koila::inline v0 {

void unfold::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
  const auto two = [](const attr_list& l) { return detail::spatial_values(l, 2); };
  at::_ops::im2col_out::call(x, two(a.kernel_size), two(a.dilation), two(a.padding), two(a.stride), y);
}

}  // namespace koila::inline v0
