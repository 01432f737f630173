// SPDX-License-Identifier: MIT
#pragma once
// Powers by LibTorch's operators.
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/pow_ops.h>

namespace koila::inline v0::detail {

/// y = x to the power e.
inline void power_by_operator(at::Tensor& y, const at::Tensor& x, const at::Scalar& e) {
  at::_ops::pow_Tensor_Scalar_out::call(x, e, y);
}
inline void power_by_operator(at::Tensor& y, const at::Tensor& x, const at::Tensor& e) {
  at::_ops::pow_Tensor_Tensor_out::call(x, e, y);
}

}  // namespace koila::inline v0::detail
