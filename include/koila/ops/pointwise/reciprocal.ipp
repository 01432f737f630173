// SPDX-License-Identifier: MIT
#pragma once
// Definitions of reciprocal.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/reciprocal.hpp>

#include <ATen/ops/reciprocal_ops.h>

namespace koila::inline v0 {

void reciprocal::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::reciprocal_out::call(x, y); }
auto reciprocal::elements() -> detail::all_elements { return detail::elements_of<struct reciprocal, 1>(); }

}  // namespace koila::inline v0
