// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sigmoid.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/sigmoid.hpp>

#include <ATen/ops/sigmoid_ops.h>

namespace koila::inline v0 {

void sigmoid::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::sigmoid_out::call(x, y); }
auto sigmoid::elements() -> detail::float_elements { return detail::float_elements_of<struct sigmoid, 1>(); }

}  // namespace koila::inline v0
