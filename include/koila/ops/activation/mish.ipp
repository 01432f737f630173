// SPDX-License-Identifier: MIT
#pragma once
// Definitions of mish.hpp.
#include <koila/ops/activation/mish.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/mish_ops.h>

namespace koila::inline v0 {

void mish::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::mish_out::call(x, y); }
auto mish::elements() -> detail::float_elements { return detail::float_elements_of<struct mish, 1>(); }

}  // namespace koila::inline v0
