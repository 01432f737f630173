// SPDX-License-Identifier: MIT
#pragma once
// Definitions of log.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/log.hpp>

#include <ATen/ops/log_ops.h>

namespace koila::inline v0 {

void ops::log::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::log_out::call(x, y); }
auto ops::log::elements() -> detail::float_elements { return detail::float_elements_of<struct ops::log, 1>(); }

}  // namespace koila::inline v0
