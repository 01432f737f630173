// SPDX-License-Identifier: MIT
#pragma once
// Definitions of div.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/div.hpp>

#include <ATen/ops/div_ops.h>

namespace koila::inline v0 {

void ops::div::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const attributes& attrs) {
  if (attrs.rounding_mode.value == choice::none) at::_ops::div_out::call(a, b, y);
  else at::_ops::div_out_mode::call(a, b, attrs.rounding_mode.value == choice::floor ? "floor" : "trunc", y);
}
auto ops::div::elements() -> detail::all_elements { return detail::elements_of<struct ops::div, 2>(); }

}  // namespace koila::inline v0
