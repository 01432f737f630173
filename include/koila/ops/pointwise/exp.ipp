// SPDX-License-Identifier: MIT
#pragma once
// Definitions of exp.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/exp.hpp>

#include <ATen/ops/exp_ops.h>

namespace koila::inline v0 {

void ops::exp::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::exp_out::call(x, y); }
auto ops::exp::elements() -> detail::float_elements { return detail::float_elements_of<struct ops::exp, 1>(); }

}  // namespace koila::inline v0
