// SPDX-License-Identifier: MIT
#pragma once
// Definitions of gather_backward.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/gather_backward.hpp>

namespace koila::inline v0::internal {

void gather_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& index,
                               const attributes& a) {
  dx.zero_();
  accumulate(dx, dy, x, index, a);
}
void gather_backward::accumulate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const at::Tensor& index,
                                 const attributes& a) {
  dx.scatter_add_(a.dim.value, index, dy);
}

}  // namespace koila::inline v0::internal
