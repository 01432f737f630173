// SPDX-License-Identifier: MIT
#pragma once
// Definitions of hardswish.hpp.
#include <koila/ops/activation/hardswish.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/hardswish_ops.h>

namespace koila::inline v0 {

void hardswish::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::hardswish_out::call(x, y); }
auto hardswish::elements() -> detail::all_elements { return detail::elements_of<struct hardswish, 1>(); }

}  // namespace koila::inline v0
