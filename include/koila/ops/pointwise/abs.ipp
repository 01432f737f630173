// SPDX-License-Identifier: MIT
#pragma once
// Definitions of abs.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/abs.hpp>

#include <ATen/ops/abs_ops.h>

namespace koila::inline v0 {

void ops::abs::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::abs_out::call(x, y); }
auto ops::abs::elements() -> detail::all_elements { return detail::elements_of<struct ops::abs, 1>(); }

}  // namespace koila::inline v0
