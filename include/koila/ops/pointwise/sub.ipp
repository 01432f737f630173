// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sub.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/sub.hpp>

#include <ATen/ops/sub_ops.h>

namespace koila::inline v0 {

void sub::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) { at::_ops::sub_out::call(a, b, 1, y); }
auto sub::elements() -> detail::all_elements { return detail::elements_of<struct sub, 2>(); }

}  // namespace koila::inline v0
