// SPDX-License-Identifier: MIT
#pragma once
// Definitions of clamp_max.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/clamp_max.hpp>

#include <ATen/ops/clamp_max_ops.h>

namespace koila::inline v0 {

void clamp_max::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& bound) {
  at::_ops::clamp_max_Tensor_out::call(x, bound, y);
}
auto clamp_max::elements() -> detail::all_elements { return detail::elements_of<struct clamp_max, 2>(); }

}  // namespace koila::inline v0
