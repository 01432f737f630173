// SPDX-License-Identifier: MIT
#pragma once
// Definitions of maximum.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/pointwise/maximum.hpp>

#include <ATen/ops/maximum_ops.h>

namespace koila::inline v0 {

void maximum::evaluate(at::Tensor& y, const at::Tensor& a, const at::Tensor& b) {
  at::_ops::maximum_out::call(a, b, y);
}
auto maximum::elements() -> detail::all_elements { return detail::elements_of<struct maximum, 2>(); }

}  // namespace koila::inline v0
