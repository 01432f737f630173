// SPDX-License-Identifier: MIT
#pragma once
// Definitions of mul.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/mul.hpp>

#include <ATen/ops/mul_ops.h>

namespace koila::inline v0 {

void mul::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::mul_out::call(a, b, y); }
auto mul::elements() -> detail::all_elements { return detail::elements_of<struct mul, 2>(); }

}  // namespace koila::inline v0
