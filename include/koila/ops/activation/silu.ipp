// SPDX-License-Identifier: MIT
#pragma once
// Definitions of silu.hpp.
#include <koila/ops/activation/silu.hpp>
#include <koila/ops/common/elements.ipp>

#include <ATen/ops/silu_ops.h>

namespace koila::inline v0 {

void silu::evaluate(at::Tensor& y, const at::Tensor& x) { at::_ops::silu_out::call(x, y); }
auto silu::elements() -> detail::float_elements { return detail::float_elements_of<struct silu, 1>(); }

}  // namespace koila::inline v0
