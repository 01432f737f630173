// SPDX-License-Identifier: MIT
#pragma once
// Definitions of minimum.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/minimum.hpp>

#include <ATen/ops/minimum_ops.h>

namespace koila::inline v0 {

void minimum::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::minimum_out::call(a, b, y);
}
auto minimum::elements() -> detail::all_elements { return detail::elements_of<struct minimum, 2>(); }

}  // namespace koila::inline v0
