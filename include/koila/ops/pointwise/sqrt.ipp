// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sqrt.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/sqrt.hpp>

#include <ATen/ops/sqrt_ops.h>

namespace koila::inline v0 {

void ops::sqrt::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::sqrt_out::call(x, y); }
auto ops::sqrt::elements() -> detail::all_elements { return detail::elements_of<struct ops::sqrt, 1>(); }

}  // namespace koila::inline v0
