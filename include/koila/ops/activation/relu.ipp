// SPDX-License-Identifier: MIT
#pragma once
// Definitions of relu.hpp.
#include <koila/ops/activation/relu.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/clamp_min_ops.h>

namespace koila::inline v0 {

// Calls clamp_min_out, because relu_out allocates a temporary as large as x.
void relu::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::clamp_min_out::call(x, 0, y); }
auto relu::elements() -> detail::all_elements { return detail::elements_of<struct relu, 1>(); }

}  // namespace koila::inline v0
