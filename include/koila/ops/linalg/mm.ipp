// SPDX-License-Identifier: MIT
#pragma once
// Definitions of mm.hpp.
#include <koila/ops/common/matrix_operators.ipp>
#include <koila/ops/linalg/mm.hpp>

namespace koila::inline v0 {

void mm::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  detail::multiply_by_operator(y, a, b, nullptr);
}
void mm::accumulate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  if (a.size(1) != 0) detail::multiply_by_operator(y, a, b, &y);  // the operator allocates even if k is 0
}

}  // namespace koila::inline v0
