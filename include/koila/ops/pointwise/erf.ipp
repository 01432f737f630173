// SPDX-License-Identifier: MIT
#pragma once
// Definitions of erf.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/erf.hpp>

#include <ATen/ops/erf_ops.h>

namespace koila::inline v0 {

void ops::erf::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::erf_out::call(x, y); }
auto ops::erf::elements() -> detail::float_elements { return detail::float_elements_of<struct ops::erf, 1>(); }

}  // namespace koila::inline v0
