// SPDX-License-Identifier: MIT
#pragma once
// Definitions of square.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/square.hpp>

#include <ATen/ops/square_ops.h>

namespace koila::inline v0 {

void square::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::square_out::call(x, y); }
auto square::elements() -> detail::all_elements { return detail::elements_of<struct square, 1>(); }

}  // namespace koila::inline v0
