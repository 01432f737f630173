// SPDX-License-Identifier: MIT
#pragma once
// Definitions of expm1.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/expm1.hpp>

#include <ATen/ops/expm1_ops.h>

namespace koila::inline v0 {

void ops::expm1::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::expm1_out::call(x, y); }
auto ops::expm1::elements() -> detail::float_elements { return detail::float_elements_of<struct ops::expm1, 1>(); }

}  // namespace koila::inline v0
