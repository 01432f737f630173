// SPDX-License-Identifier: MIT
#pragma once
// Definitions of neg.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/neg.hpp>

#include <ATen/ops/neg_ops.h>

namespace koila::inline v0 {

void neg::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::neg_out::call(x, y); }
auto neg::elements() -> detail::all_elements { return detail::elements_of<struct neg, 1>(); }

}  // namespace koila::inline v0
