// SPDX-License-Identifier: MIT
#pragma once
// Definitions of rsqrt.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/rsqrt.hpp>

#include <ATen/ops/rsqrt_ops.h>

namespace koila::inline v0 {

void rsqrt::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::rsqrt_out::call(x, y); }
auto rsqrt::elements() -> detail::all_elements { return detail::elements_of<struct rsqrt, 1>(); }

}  // namespace koila::inline v0
