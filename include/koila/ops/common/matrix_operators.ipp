// SPDX-License-Identifier: MIT
#pragma once
// Products of matrices by LibTorch's operators.
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/baddbmm_ops.h>
#include <ATen/ops/bmm_ops.h>
#include <ATen/ops/mm_ops.h>

namespace koila::inline v0::detail {

/// Computes y = a b, or y = a b + start if `start` is not null, for matrices or stacks of matrices.
inline void multiply_by_operator(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start) {
  if (y.dim() == 2)
    start != nullptr ? at::_ops::addmm_out::call(*start, a, b, 1, 1, y) : at::_ops::mm_out::call(a, b, y);
  else start != nullptr ? at::_ops::baddbmm_out::call(*start, a, b, 1, 1, y) : at::_ops::bmm_out::call(a, b, y);
}

/// Flattens all dims but the last: (..., n) -> (rows, n). n may be 0.
inline auto as_matrix(const at::Tensor& t) -> at::Tensor {
  const auto leading = t.sizes().slice(0, static_cast<std::size_t>(t.dim() - 1));
  return t.view({c10::multiply_integers(leading), t.size(-1)});
}

}  // namespace koila::inline v0::detail
