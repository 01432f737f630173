// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cumprod_backward.hpp.
#include <koila/ops/common/axis_operators.ipp>
#include <koila/ops/internal/cumprod_backward.hpp>

#include <ATen/ops/cumprod_backward_ops.h>

namespace koila::inline v0::internal {

void cumprod_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const attributes& a) {
  const auto d = detail::line_dim(a);
  const at::Tensor lines = detail::with_lines(x, a);
  detail::with_lines(dx, a).copy_(
      at::_ops::cumprod_backward::call(detail::with_lines(dy, a), lines, d, lines.cumprod(d)));
}

}  // namespace koila::inline v0::internal
