// SPDX-License-Identifier: MIT
#pragma once
// Definitions of log1p.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/log1p.hpp>

#include <ATen/ops/log1p_ops.h>

namespace koila::inline v0 {

void ops::log1p::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::log1p_out::call(x, y); }
auto ops::log1p::elements() -> detail::float_elements { return detail::float_elements_of<struct ops::log1p, 1>(); }

}  // namespace koila::inline v0
