// SPDX-License-Identifier: MIT
#pragma once
// Definitions of cumsum_backward.hpp.
#include <koila/ops/common/axis_operators.ipp>
#include <koila/ops/internal/cumsum_backward.hpp>

namespace koila::inline v0::internal {

void cumsum_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const attributes& a) {
  const auto d = detail::line_dim(a);
  detail::with_lines(dx, a).copy_(detail::with_lines(dy, a).flip(d).cumsum(d).flip(d));
}

}  // namespace koila::inline v0::internal
