// SPDX-License-Identifier: MIT
#pragma once
// Definitions of xlogx.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/xlogx.hpp>

#include <ATen/ops/xlogy_ops.h>

namespace koila::inline v0::internal {

void xlogx::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::xlogy_OutTensor::call(x, x, y); }
auto xlogx::elements() -> detail::float_elements { return detail::float_elements_of<struct xlogx, 1>(); }

}  // namespace koila::inline v0::internal
