// SPDX-License-Identifier: MIT
#pragma once
// Definitions of linear.hpp.
#include <koila/ops/common/matrix_operators.ipp>
#include <koila/ops/linalg/linear.hpp>

namespace koila::inline v0 {

void linear::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w) {
  at::Tensor rows = detail::as_matrix(y);
  detail::multiply_by_operator(rows, detail::as_matrix(x), w.t(), nullptr);
}
void linear::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
  if (w.size(1) == 0) {  // addmm_out would allocate temporaries for 0 features
    y.copy_(b);
    return;
  }
  at::Tensor rows = detail::as_matrix(y);
  detail::multiply_by_operator(rows, detail::as_matrix(x), w.t(), &b);
}

}  // namespace koila::inline v0
