// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hardsigmoid.hpp.
#include <koila/ops/activation/hardsigmoid.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/hardsigmoid_ops.h>

namespace koila::inline v0 {

void hardsigmoid::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::hardsigmoid_out::call(x, y); }
auto hardsigmoid::elements() -> detail::all_elements { return detail::elements_of<struct hardsigmoid, 1>(); }

}  // namespace koila::inline v0
