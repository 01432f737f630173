// SPDX-License-Identifier: MIT
#pragma once
// Definitions of diagonal_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/diagonal_backward.hpp>

namespace koila::inline v0::internal {

void diagonal_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
  dx.zero_();
  dx.diagonal(a.offset.value, a.dim1.value, a.dim2.value).copy_(dy);
}

}  // namespace koila::inline v0::internal
