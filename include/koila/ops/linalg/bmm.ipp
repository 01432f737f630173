// SPDX-License-Identifier: MIT
#pragma once
// Definitions of bmm.hpp.
#include <koila/ops/common/matrix_operators.ipp>
#include <koila/ops/linalg/bmm.hpp>

namespace koila::inline v0 {

void bmm::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  detail::multiply_by_operator(y, a, b, nullptr);
}
void bmm::accumulate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  detail::multiply_by_operator(y, a, b, &y);
}

}  // namespace koila::inline v0
