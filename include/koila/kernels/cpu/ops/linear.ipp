// SPDX-License-Identifier: MIT
#pragma once
// linear on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/matrices.ipp>
#include <koila/ops/linalg/linear.hpp>

namespace koila::inline v0::kernels::cpu {

struct linear {
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w) {
    if (x.dim() == 2) return multiply(y, x, w, nullptr);
    at::Tensor rows = detail::as_matrix(y);
    multiply(rows, detail::as_matrix(x), w, nullptr);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    if (w.size(1) == 0) {  // addmm_out would allocate temporaries in this case
      y.copy_(b);
      return;
    }
    if (x.dim() == 2) return multiply(y, x, w, &b);
    at::Tensor rows = detail::as_matrix(y);
    multiply(rows, detail::as_matrix(x), w, &b);
  }

 private:
  /// Computes y = x w^T + b. Creates a tensor for w^T only if multiply_in_blocks does not compute
  /// the product.
  static void multiply(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor* b) {
    if (!detail::multiply_in_blocks(y, x, w, b, true)) detail::multiply(y, x, w.t(), b);
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::linear, linear> linear_registered;

}  // namespace koila::inline v0::kernels::cpu
