// SPDX-License-Identifier: MIT
#pragma once
// Definitions of clamp_min.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/clamp_min.hpp>

#include <ATen/ops/clamp_min_ops.h>

namespace koila::inline v0 {

void clamp_min::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& bound) {
  at::_ops::clamp_min_Tensor_out::call(x, bound, y);
}
auto clamp_min::elements() -> detail::all_elements { return detail::elements_of<struct clamp_min, 2>(); }

}  // namespace koila::inline v0
