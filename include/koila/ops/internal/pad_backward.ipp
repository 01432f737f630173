// SPDX-License-Identifier: MIT
#pragma once
// Definitions of pad_backward.hpp.
#include <koila/ops/common/padding_operators.ipp>
#include <koila/ops/internal/pad_backward.hpp>

namespace koila::inline v0::internal {

void pad_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
  detail::pad_backward_by_operators(dx, dy, a);
}

}  // namespace koila::inline v0::internal
