// SPDX-License-Identifier: MIT
#pragma once
// Definitions of tanh.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/tanh.hpp>

#include <ATen/ops/tanh_ops.h>

namespace koila::inline v0 {

void ops::tanh::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::tanh_out::call(x, y); }
auto ops::tanh::elements() -> detail::float_elements { return detail::float_elements_of<struct ops::tanh, 1>(); }

}  // namespace koila::inline v0
